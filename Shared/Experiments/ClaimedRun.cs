using System.Text;
using System.Text.Json;
using ScaleOut.Json;
using ScaleOut.Specs;

namespace ScaleOut.Experiments;

/// <summary>Whether a claimed run is the one that an experiment means: the id alone does not tell, as anybody may have given it to a run of his own.</summary>
public static class ClaimedRun
{
    /// <summary>Whether a run was claimed with a spec; what an earlier version of the program did not write counts as its default.</summary>
    /// <param name="claimed">The claimed spec as JSON.</param>
    /// <param name="spec">The spec that is meant.</param>
    public static bool IsSame(byte[] claimed, RunSpec spec)
    {
        ArgumentNullException.ThrowIfNull(claimed);
        ArgumentNullException.ThrowIfNull(spec);
        return Reread(claimed) is { } found && found.AsSpan().SequenceEqual(Reread(Serialize(spec)));
    }

    /// <summary>What the program makes of it, as JSON; null when it is no spec.</summary>
    private static byte[]? Reread(byte[] json) => RunSpecReader.Read(Encoding.UTF8.GetString(json)).Spec is { } spec ? Serialize(spec) : null;

    private static byte[] Serialize(RunSpec spec) => JsonSerializer.SerializeToUtf8Bytes(spec, ScaleOutJson.Compact);
}
