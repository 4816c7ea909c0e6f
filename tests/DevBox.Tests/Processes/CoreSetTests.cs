namespace ScaleOut.Tests.DevBox.Processes;

public sealed class CoreSetTests
{
    [Fact]
    public void From_SeveralWorkers_TakesTheNextCoresAndThenTheFirstAgain()
    {
        int?[] asked = [1, 2, null, 1, 9];
        int[] allowed = [0, 2, 4, 6];
        Assert.Equal([0], CoreSet.From(asked, 0, allowed)!);
        Assert.Equal([2, 4], CoreSet.From(asked, 1, allowed)!);
        Assert.Null(CoreSet.From(asked, 2, allowed));
        Assert.Equal([6], CoreSet.From(asked, 3, allowed)!);
        Assert.Equal(allowed, CoreSet.From(asked, 4, allowed)!);
    }

    [Fact]
    public void MaskOf_Cores_HasTheirBits() => Assert.Equal((nint)0b10110, CoreSet.MaskOf([1, 2, 4]));

    [Fact]
    public void RunBound_AProcess_MayUseThoseCoresAlone()
    {
        Assert.SkipUnless(OperatingSystem.IsLinux(), "Processes show their cores in /proc.");
        var core = CoreSet.Allowed()[^1];
        var start = new ProcessStartInfo("cat", "/proc/self/status") { RedirectStandardOutput = true };
        using var process = CoreSet.RunBound([core], () => Process.Start(start)!);
        var status = process.StandardOutput.ReadToEnd();
        Assert.Contains($"Cpus_allowed_list:\t{core}\n", status, StringComparison.Ordinal);
        Assert.Contains(core, CoreSet.Allowed());
    }

    [Fact]
    public void RunBound_CoresThatAreNotThere_SaysSo()
    {
        Assert.SkipUnless(OperatingSystem.IsLinux(), "Elsewhere nothing is bound before the start.");
        AssertText.Has(Assert.Throws<InvalidOperationException>(() => CoreSet.RunBound([1_023], () => 0)).Message, "1023");
    }
}
