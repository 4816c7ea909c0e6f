namespace ScaleOut.Orchestration;

/// <summary>Whether a run may begin. Runs wait for each other if their workers together would be more than there are instances.</summary>
/// <param name="RunsAhead">Runs that came before and have not ended.</param>
/// <param name="Failure">Why it could not be asked for; null otherwise.</param>
public sealed record Admission(
    AdmissionState State,
    int RunsAhead = 0,
    [property: JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)] string? Failure = null);

/// <summary>What a run that asks for admission is to do.</summary>
[JsonConverter(typeof(CamelCaseEnumConverter<AdmissionState>))]
public enum AdmissionState
{
    Admitted,

    /// <summary>The run asks again later.</summary>
    Waiting,

    /// <summary>The run was stopped while it waited.</summary>
    Stopped,

    /// <summary>Ask again later, as long as the identity may still get the right to.</summary>
    Forbidden,

    /// <summary>End: it could not be asked for, for too long.</summary>
    Failed,
}
