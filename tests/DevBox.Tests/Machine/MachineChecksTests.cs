using ScaleOut.DevBox.Machine;
using ScaleOut.DevBox.Processes;

namespace ScaleOut.Tests.DevBox.Machine;

public sealed class MachineChecksTests
{
    [Theory]
    [InlineData(0, false)]
    [InlineData(1, true)]
    public void WarningsOf_WorkersPerCore_SaysWhenTheyTakeCoresFromEachOther(int beyond, bool warns)
    {
        var workers = (MachineChecks.WorkersPerCore * Environment.ProcessorCount) + beyond;

        var warnings = MachineChecks.WarningsOf(new RunSpec { Workers = workers });

        Assert.Equal(warns, warnings.Any(one => one.StartsWith($"{workers} worker processes", StringComparison.Ordinal)));
    }

    [Fact]
    public void WarningsOf_MoreCoresThanThereAre_NamesBothNumbers()
    {
        Assert.SkipUnless(CoreSet.IsSupported, "Processes are not bound to cores here.");
        var cores = CoreSet.Allowed().Count;

        var warning = Assert.Single(MachineChecks.WarningsOf(new RunSpec { Workers = 1, Client = new() { Cores = cores + 1 } }));

        Assert.Contains($"ask for {cores + 1} cores together, and this machine has {cores}", warning, StringComparison.Ordinal);
    }
}
