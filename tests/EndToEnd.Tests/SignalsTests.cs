namespace ScaleOut.Tests.EndToEnd;

public sealed class SignalsTests
{
    [Fact]
    public async Task StopIgnoringSignals_TestsInTheBackground_ProgramsGetInterruptsAndHangUps()
    {
        Assert.SkipUnless(OperatingSystem.IsLinux(), "Linux says which signals a process ignores.");
        var start = new ProcessStartInfo("/bin/sh")
        {
            ArgumentList =
            {
                "-c", "trap '' INT HUP && exec \"$0\" \"$@\"", "dotnet", typeof(CommandHost).Assembly.Location,
            },
            RedirectStandardInput = true,
            RedirectStandardOutput = true,
        };
        using var process = Process.Start(start)!;
        try
        {
            await process.StandardInput.WriteLineAsync(
                ProcessLines.Write(new CommandRequest(Path.GetTempPath(), ["--version"], new Dictionary<string, string>())));
            await process.StandardInput.FlushAsync(TestContext.Current.CancellationToken);
            Assert.NotNull(await process.StandardOutput.ReadLineAsync(TestContext.Current.CancellationToken));

            Assert.False(Signals.IsIgnored(process.Id, Signals.Interrupt));
            Assert.False(Signals.IsIgnored(process.Id, Signals.HangUp));
        }
        finally
        {
            process.Kill();
        }
    }
}
