using System.Text.Json.Serialization;
using ScaleOut.Json;

namespace ScaleOut.Orchestration;

/// <summary>Why a leg ended.</summary>
[JsonConverter(typeof(CamelCaseEnumConverter<LegEnd>))]
public enum LegEnd
{
    /// <summary>Every document of the slice is done.</summary>
    SliceDone,

    /// <summary>The leg's time was over.</summary>
    TimeUp,

    /// <summary>The last step of the load was over.</summary>
    StepsDone,

    /// <summary>The run's stop flag was set.</summary>
    Stopped,

    /// <summary>The account gave no answer to anything for as long as a leg waits.</summary>
    AccountSilent,

    /// <summary>The account refused the client itself, such as with a wrong key or a missing container.</summary>
    Refused,
}
