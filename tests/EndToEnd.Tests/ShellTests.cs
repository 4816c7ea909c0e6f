namespace ScaleOut.Tests.EndToEnd;

/// <summary>The program in a shell: completion, pipes and colours.</summary>
public sealed class ShellTests : ProgramInFolder
{
    private const string Red = "\e[31merror:\e[0m";

    [Theory]
    [InlineData("devbox val", "validate")]
    [InlineData("devbox run --mo", "--mode")]
    [InlineData("devbox run --mode ", "Direct Gateway")]
    [InlineData("devbox run --mode D", "Direct")]
    [InlineData("devbox completion ", "bash pwsh zsh")]
    // Nothing, so that bash completes files.
    [InlineData("devbox run ", "")]
    [InlineData("devbox validate pla", "")]
    public async Task Completion_InBash_CompletesTheWord(string line, string expected)
    {
        SkipWithoutBash();
        var words = line.Split(' ');
        var output = await InBashAsync(
            $"""
            devbox() (exec "${"{program[@]}"}" "$@")
            eval "$(devbox completion bash)"
            complete -p devbox
            COMP_LINE='{line}' COMP_POINT={line.Length} COMP_WORDS=({line}) COMP_CWORD={words.Length - 1}
            _devbox devbox '{words[^1]}' '{words[^2]}'
            echo "${"{COMPREPLY[*]}"}"
            """);

        Assert.Equal(["complete -o default -F _devbox devbox", expected], output.ReplaceLineEndings("\n").Split('\n').Take(2));
    }

    [Theory]
    [InlineData("bash", "complete -o default -F _devbox devbox")]
    [InlineData("zsh", "compdef _devbox devbox")]
    [InlineData("pwsh", "Register-ArgumentCompleter -Native -CommandName devbox")]
    public async Task Completion_OfAShell_IsItsScript(string shell, string part)
    {
        var script = await CommandAsync("completion", shell);
        AssertEnded(script);
        AssertText.Has(script.Output, part, "[suggest:");
        AssertRejected(await CommandAsync("completion", "fish"), "'fish' is none of the shells bash, zsh, pwsh.");
    }

    /// <summary>A reader that has seen enough stops the run, which is reported and agrees with its account's ledger.</summary>
    [Fact(Explicit = true)]
    [Trait("Duration", "Long")]
    public async Task Run_PipeThatNobodyReads_IsStoppedAsByCtrlC()
    {
        SkipWithoutBash();
        using var program = DevBoxProcess.StartAfter(
            Folder, "\"$0\" \"$@\" | grep -m1 ' running '; exit ${PIPESTATUS[0]}", ["run", .. Endless("piped")]);
        await program.WaitAsync();

        AssertEnded(program, ExitCode.Stopped);
        Assert.Single(program.Output.TrimEnd().Split('\n'));
        var report = Finished("piped").Report;
        Assert.Equal(RunState.Stopped, report.State);
        Assert.InRange(report.Documents.Inserted, 1, 999_999);
        Assert.Equal(Finished("piped").Container.Documents.Created, report.Documents.Inserted);
        Assert.True(Finished("piped").Has("report.html"));
    }

    /// <summary>A file and a pipe that is read do not stop it.</summary>
    [Theory(Explicit = true)]
    [Trait("Duration", "Long")]
    [InlineData("\"$0\" \"$@\" | cat; exit ${PIPESTATUS[0]}")]
    [InlineData("\"$0\" \"$@\" > out.txt; exit $?")]
    public async Task Run_OutputThatIsKept_GoesOn(string command)
    {
        SkipWithoutBash();
        using var program = DevBoxProcess.StartAfter(
            Folder, command, ["run", "--documents", "2000", "--workers", "1", "--rate", "1000", "--id", "kept"]);
        await program.WaitAsync();

        AssertEnded(program);
        Assert.Equal(2_000, Finished("kept").Report.Documents.Inserted);
    }

    [Theory]
    [InlineData("TERM=xterm", true)]
    [InlineData("TERM=xterm NO_COLOR=1", false)]
    [InlineData("TERM=dumb", false)]
    public async Task Error_OnATerminal_HasAColorUnlessThatIsNotWanted(string variables, bool isColored)
    {
        Assert.SkipUnless(File.Exists("/usr/bin/script"), "The command script makes a terminal.");
        using var program = DevBoxProcess.StartAfter(
            Folder, $"unset NO_COLOR; {variables} script -qec \"$(printf '%q ' \"$0\" \"$@\")\" /dev/null; exit 0",
            ["validate", "--mode", "none"]);
        await program.WaitAsync();

        AssertText.Has(program.Output, "error:", "client.connectionMode");
        Assert.Equal(isColored, program.Output.Contains(Red, StringComparison.Ordinal));
    }

    [Fact]
    public async Task Error_InAPipe_HasNoColor()
    {
        using var program = await RunAsync(["validate", "--mode", "none"], new Dictionary<string, string> { ["TERM"] = "xterm" });
        AssertEnded(program, ExitCode.BadInput);
        Assert.StartsWith("error: client.connectionMode", program.Errors, StringComparison.Ordinal);
    }

    private static void SkipWithoutBash() => Assert.SkipUnless(File.Exists("/bin/bash"), "There is no bash.");

    /// <summary>The output of a script, in which <c>program</c> is the command that starts the program.</summary>
    private async Task<string> InBashAsync(string script)
    {
        using var program = DevBoxProcess.StartAfter(Folder, $"program=(\"$0\" \"$@\")\n{script}\nexit 0", []);
        await program.WaitAsync();
        Assert.Empty(program.Errors);
        return program.Output;
    }
}
