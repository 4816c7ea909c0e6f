namespace ScaleOut.Experiments;

/// <summary>The id of an experiment's run belongs to something else, which is left as it is.</summary>
public sealed class RunIdInUseException(string runId)
    : Exception($"The id '{runId}' is in use by another run, whose plan is not this one's; that run was left as it is. Choose another id for the experiment.");
