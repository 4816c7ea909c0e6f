namespace ScaleOut.Tests.DevBox.Commands;

public sealed class CommandLineTextTests
{
    [Theory]
    [InlineData("devbox limit orders.json --rate 400", "limit", "orders.json", "--rate", "400")]
    [InlineData("devbox limit --until \"p99<20ms && errors==0\"", "limit", "--until", "p99<20ms && errors==0")]
    [InlineData("devbox run --id \"\"", "run", "--id", "")]
    [InlineData("devbox run --table-account ***", "run", "--table-account", "UseDevelopmentStorage=true")]
    [InlineData("devbox run --table-account ***", "run", "--table-account", "AccountName=a;AccountKey=c2VjcmV0")]
    [InlineData("devbox run --table-account https://a.table.test", "run", "--table-account", "https://a.table.test")]
    [InlineData("devbox run --table-account ***", "run", "--table-account", "https://a.table.test?sv=1&sig=c2VjcmV0")]
    [InlineData("devbox run --account ***", "run", "--account", "AccountEndpoint=https://a;AccountKey=c2VjcmV0;")]
    [InlineData("devbox run --otlp ***", "run", "--otlp", "https://a.test/v1?token=c2VjcmV0")]
    [InlineData("devbox run --name ***", "run", "--name", "x-functions-key=c2VjcmV0")]
    [InlineData("devbox run \"--partition-key=/id\"", "run", "--partition-key=/id")]
    [InlineData("devbox run --query \"SELECT * FROM c WHERE c.key=1\"", "run", "--query", "SELECT * FROM c WHERE c.key=1")]
    public void From_AnyArguments_CanBeGivenAgainAndHasNoSecret(string text, params string[] arguments) =>
        Assert.Equal(text, CommandLineText.From(arguments));

    /// <summary>bash reads a word as it was given, and executes nothing of it.</summary>
    [Theory]
    [InlineData("a b")]
    [InlineData("$HOME")]
    [InlineData("`id`")]
    [InlineData("$(id) it's")]
    [InlineData("a\\b\\")]
    [InlineData("say \"hi\"!")]
    [InlineData("c.name = 'x'")]
    public async Task Quoted_AnyWord_IsReadBackByAShell(string word)
    {
        Assert.SkipWhen(OperatingSystem.IsWindows(), "no POSIX shell");
        var start = new ProcessStartInfo("sh", ["-c", $"printf %s {ShellWord.Quoted(word)}"]) { RedirectStandardOutput = true };
        using var shell = Process.Start(start)!;
        Assert.Equal(word, await shell.StandardOutput.ReadToEndAsync(TestContext.Current.CancellationToken));
    }

    [Theory]
    [InlineData("runs", "devbox resume a")]
    [InlineData("results", "devbox resume a --out results")]
    [InlineData("my runs", "devbox resume a --out \"my runs\"")]
    public void ResumeCommand_AnyFolder_CanBePasted(string folder, string command) =>
        Assert.Equal(command, new RunFolder(folder, "a").ResumeCommand);
}
