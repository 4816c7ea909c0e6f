namespace ScaleOut.Orchestration;

/// <summary>Whether a run may begin. Runs wait for each other if their workers together would be more than there are instances.</summary>
/// <param name="RunsAhead">Runs that came before and have not ended.</param>
public sealed record Admission(AdmissionState State, int RunsAhead = 0);

/// <summary>What a run that asks for admission is to do.</summary>
[JsonConverter(typeof(CamelCaseEnumConverter<AdmissionState>))]
public enum AdmissionState
{
    Admitted,

    /// <summary>The run asks again later.</summary>
    Waiting,

    /// <summary>The run was stopped while it waited.</summary>
    Stopped,
}
