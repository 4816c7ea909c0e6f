using ScaleOut.Analysis.Reports.Writers;
using ScaleOut.Storage;
using ScaleOut.Workers.Containers;

namespace ScaleOut.Bench.Soak;

/// <summary>What is killed.</summary>
internal enum SoakTarget
{
    /// <summary>A worker's process.</summary>
    Worker,

    /// <summary>The orchestrating program.</summary>
    Program,

    /// <summary>The program and all of its workers.</summary>
    All,

    /// <summary>The connections to the account.</summary>
    Connections,
}

/// <summary>A kill that is to come.</summary>
/// <param name="Target">What is killed.</param>
/// <param name="After">The item of the run store after which it comes. Where it is there already, the program's start, or the kill
/// before.</param>
/// <param name="Delay">Time after that.</param>
internal sealed record SoakKill(SoakTarget Target, string After, TimeSpan Delay)
{
    private const int MostOfARun = 7;

    /// <summary>What a run writes, in its order: from the claim to the mark of its end.</summary>
    private static readonly string[] Items =
    [
        RunFiles.SpecName, ContainerClaim.ItemName, RunFiles.PreparedName, LegNames.Attempt(0, 1, 1), RunFiles.ReadyName(0),
        RunFiles.StartName, LegNames.Result(0, 1), LegNames.Attempt(0, 2, 1), LegNames.Result(0, 2), RunFiles.EndingName,
        .. ReportWriters.All.Select(writer => writer.FileName), RunFiles.ContainerGoneName,
    ];

    /// <summary>The kills of a run: some within milliseconds of an item, in their order, the others at any time.</summary>
    public static IReadOnlyList<SoakKill> Plan(Random random)
    {
        var kills = new List<SoakKill>();
        var item = -1;
        for (var left = random.Next(2, MostOfARun + 1); left > 0; left--)
        {
            var target = (SoakTarget)random.Next(4);
            item += random.Next(1, 5);
            kills.Add(random.Next(3) > 0 && item < Items.Length
                ? new SoakKill(target, Items[item], TimeSpan.FromMilliseconds(random.Next(0, 4) * random.Next(0, 30)))
                : new SoakKill(target, Items[0], TimeSpan.FromMilliseconds(random.Next(4_000))));
        }

        return kills;
    }
}
