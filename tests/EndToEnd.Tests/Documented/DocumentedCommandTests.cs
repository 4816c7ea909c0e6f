using ScaleOut.Analysis.Reports.FailIf;
using ScaleOut.Api.Specs;

namespace ScaleOut.Tests.EndToEnd.Documented;

/// <summary>
/// Runs every command of the documents on a smaller scale. Its command line runs until it would start the load. The load runs with few
/// documents on a simulated account within the test.
/// </summary>
public sealed partial class DocumentedCommandTests(DocumentedFolder folder) : IClassFixture<DocumentedFolder>
{
    private const int FewDocuments = 200;

    /// <summary>Other projects' programs, and why their commands are not run here.</summary>
    private static readonly Dictionary<string, string> Foreign = new()
    {
        ["azd, az"] = "need a subscription; the names in them are checked by the tests of infra",
        ["docker"] = "needs Docker",
        ["npm, npx, node"] = "tests of their own, in JavaScript",
        ["keytool, java, python"] = "clients in other languages",
        ["cd, cp"] = "the shell's own; paths are checked by the tests of infra",
        ["for, do, done, openssl"] = "set function keys; the names of the functions are checked by the tests of infra",
        ["curl"] = "a request, which DocumentedRequestTests send",
    };

    private static CancellationToken Cancellation => TestContext.Current.CancellationToken;

    /// <summary>Each command once, with the first document that has it.</summary>
    public static TheoryData<string, string> Commands() => new(
        DocumentText.Files
            .SelectMany(file => DocumentText.Blocks(file, "").SelectMany(ShellCommand.Read)
                .Concat(
                    DocumentText.Inline(file).Where(code => InlineCommand().IsMatch(code)).Select(HelpOfName).SelectMany(ShellCommand.Read))
                .Where(command => !IsForeign(command.Program))
                .Select(command => (file, $"{command}")))
            .DistinctBy(entry => DocumentedFolder.WithoutNames(entry.Item2)));

    [Theory(Explicit = true)]
    [MemberData(nameof(Commands))]
    [Trait("Duration", "Long")]
    public async Task Command_OfADocument_WorksOnASmallerScale(string document, string text)
    {
        var command = Assert.Single(ShellCommand.Read(text));
        if (command.Program == "dotnet" && !(command.Words[1] == "run" && command.Words.Contains("--project")))
            AssertNamesWhatIsThere(command);
        else if (ArgumentsAfter(command, "bench") is [var benchmark, ..])
            Assert.Contains($"[\"{benchmark}\"", await File.ReadAllTextAsync(DocumentText.PathOf("bench/Program.cs"), Cancellation));
        else if (ArgumentsAfter(command, "DevBox") is { } arguments)
            await RunAsync(arguments, command.Variables);
        else
            Assert.Fail($"{document}: no rule says how to run '{text}'.");
    }

    [Fact]
    public void Commands_OfTheDocuments_AreFound()
    {
        var commands = Commands().Select(row => row.Data.Item2).ToList();

        Assert.True(commands.Count > 50, string.Join('\n', commands));
        Assert.All(
            [
                "run", "resume", "experiment", "limit", "compare", "size", "init", "validate", "plans", "serve", "account", "calibrate",
                "profile",
            ],
            name => Assert.Contains(commands, command => command.Contains($"devbox {name}", StringComparison.Ordinal)));
    }

    /// <summary>The command of the workflow in docs/ci.md has options that there are, and a condition that can be judged.</summary>
    [Fact]
    public void Workflow_OfTheDocuments_RunsACommandThatThereIs()
    {
        var workflow = DocumentText.Blocks("docs/ci.md", "yaml").Single();
        var start = workflow.IndexOf("tools/devbox run", StringComparison.Ordinal);
        var words = ShellCommand.Read(workflow[start..workflow.IndexOf("- if", start, StringComparison.Ordinal)].ReplaceLineEndings(" "))
            .Single().Words;
        var run = CommandLine.Create().Subcommands.Single(command => command.Name == "run");

        Assert.All(
            words.Where(word => word.StartsWith("--", StringComparison.Ordinal)),
            word => Assert.Contains(word, run.Options.Select(option => option.Name)));
        var (condition, errors) = FailIfExpression.Check(words[words.ToList().IndexOf("--fail-if") + 1], FailIfNames.OfRun);
        Assert.True(condition is not null && LimitNumbers.ProbablyInverted(condition).Count == 0, string.Join("; ", errors));
        Assert.Contains("dotnet pack DevBox", workflow, StringComparison.Ordinal);
    }

    /// <summary>Replaces a command that has no values, and so is only a name, with its help.</summary>
    private static string HelpOfName(string code) => BareName().Replace(code, "$1 --help$2");

    private static bool IsForeign(string program) => Foreign.Keys.Any(names => names.Split(", ").Contains(program));

    /// <summary>The arguments for a project's program; null if the command does not start it.</summary>
    private static List<string>? ArgumentsAfter(ShellCommand command, string project)
    {
        if (command.Program == "alias")
            return ArgumentsAfter(ShellCommand.Read(command.Words[1].Split('=', 2)[1]).Single(), project);
        if (project == "DevBox" && Path.GetFileName(command.Program) == "devbox")
            return [.. command.Words.Skip(1)];
        return command.Words is ["dotnet", "run", ..]
            && command.Words.SkipWhile(word => word != "--project").ElementAtOrDefault(1) == project
            ? [.. command.Words.SkipWhile(word => word != "--").Skip(1)]
            : null;
    }

    /// <summary>
    /// Asserts that what <c>dotnet</c> builds, tests or packs exists, that a filter names a class of tests, and that .ci/run or the weekly
    /// workflow has the command, too, if it checks the code.
    /// </summary>
    private static void AssertNamesWhatIsThere(ShellCommand command)
    {
        var words = command.Words.Skip(2).SkipWhile(word => word == "--project").TakeWhile(word => !word.StartsWith('-')).ToList();
        if (words is ["restore"] || command.Words[1] == "stryker")
            Assert.Contains($"- run: {command}\n", File.ReadAllText(DocumentText.PathOf(".github/workflows/weekly.yml")));
        else if (command.Words[1] == "tool")
            Assert.Contains($"<PackageId>{words[1]}</PackageId>", File.ReadAllText(DocumentText.PathOf("DevBox/DevBox.csproj")));
        else if (command.Words[1] == "format")
            Assert.Contains($"{command}", File.ReadAllText(DocumentText.PathOf(".ci/run")), StringComparison.Ordinal);
        else
            Assert.All(words, path => Assert.True(Path.Exists(DocumentText.PathOf(path)), path));
        foreach (var (_, filter) in command.Words.Zip(command.Words.Skip(1)).Where(pair => pair.First is "--filter-class"))
            Assert.Contains(
                Directory.EnumerateFiles(DocumentText.PathOf(words.FirstOrDefault("tests")), "*Tests.cs", SearchOption.AllDirectories),
                file => Path.GetFileNameWithoutExtension(file).Contains(filter.Trim('*'), StringComparison.Ordinal));
    }

    private async Task RunAsync(List<string> words, IReadOnlyDictionary<string, string> variables)
    {
        var environment = variables.ToDictionary(pair => pair.Key, pair => DocumentedFolder.Value(pair.Key, pair.Value));
        // Commands for tables need a table account.
        environment.TryAdd(TableAccount.Setting, DocumentedFolder.Emulator);
        List<string> arguments = [.. words.Select(word => folder.Fill(word, words[0]))];
        if (arguments is [] or [['-', ..], ..] && arguments is not ["--help"])
            arguments.Insert(0, "run");
        switch (arguments.Contains("--help") ? "--help" : arguments[0])
        {
            case "run" or "limit" or "experiment":
                await AssertWouldStartAsync(arguments, environment);
                await RunFewAsync(arguments);
                break;
            case "--help":
                var help = await AssertEndsAsync(arguments, environment);
                Assert.All(arguments.Skip(1), option => Assert.Contains(option, help, StringComparison.Ordinal));
                break;
            case "size":
                await AssertEndsAsync(SmallerSize(arguments), environment);
                break;
            case "validate" or "init" or "compare" or "resume" or "profile" or "plans" or "completion":
                await AssertEndsAsync(arguments, environment);
                break;
            case "calibrate":
                // The program checks everything else before it fails to reach the account.
                await AssertErrorAsync(arguments, environment, "--account: The account https://my.documents");
                break;
            case "serve" or "account":
                await AssertServesAsync(arguments);
                break;
            default:
                Assert.Fail($"There is no rule for the command '{arguments[0]}'.");
                break;
        }
    }

    /// <summary>
    /// Asks for a tenth of the rate or of the fleet. The CPU of an operation is given, because measuring it, as ReportCommandsTests do,
    /// takes ten seconds.
    /// </summary>
    private static List<string> SmallerSize(List<string> arguments)
    {
        List<string> smaller = [.. arguments];
        foreach (var option in (string[])["--rate", "--workers", "--throughput"])
        {
            if (smaller.IndexOf(option) + 1 is > 0 and var value)
                smaller[value] = (double.Parse(smaller[value], CultureInfo.InvariantCulture) / 10).ToString(CultureInfo.InvariantCulture);
        }

        if (smaller.IndexOf("--minutes") + 1 is > 0 and var minutes)
            smaller[minutes] = "0.25";
        else if (smaller.Contains("--workers"))
            smaller.AddRange(["--minutes", "0.25"]);
        if (smaller.Contains("--rate") && !smaller.Contains("--cpu-per-operation"))
            smaller.AddRange(["--cpu-per-operation", "0.3ms"]);
        return smaller;
    }

    /// <summary>
    /// A run id that is in use rejects the command after its whole command line was checked. A collector of metrics must be listening.
    /// </summary>
    private async Task AssertWouldStartAsync(List<string> arguments, Dictionary<string, string> environment)
    {
        using var collector = new TcpListener(IPAddress.Loopback, port: 0);
        collector.Start();
        if (arguments.IndexOf("--otlp") + 1 is > 0 and var address)
            arguments[address] = $"http://{collector.LocalEndpoint}";
        var id = arguments.IndexOf("--id");
        await AssertErrorAsync(
            [.. arguments.Where((_, index) => id < 0 || (index != id && index != id + 1)), "--id", DocumentedFolder.Taken],
            environment, $"there is a run '{DocumentedFolder.Taken}'");
    }

    /// <summary>Runs the load: the first variant of an experiment, the base of a search.</summary>
    private async Task RunFewAsync(List<string> arguments)
    {
        var (run, experiment, account) = (new SpecOptions(), new ExperimentOptions(), new AccountConnectionOptions());
        var ofExperiment = arguments[0] == "experiment";
        var command = new Command(arguments[0])
        {
            ofExperiment ? experiment.File : run.File, ofExperiment ? experiment.All : run.All,
            account.All, new ReportOutput(example: "").All, new PricesOption(), new OtlpOption(),
        };
        var input = new CommandInput(command.Parse(new UnknownOptions(command, [], arguments[1..]).Kept), []);
        var target = account.IsGiven(input) ? RunTarget.OtherAccount : RunTarget.SimulatedAccount;
        var asked = ofExperiment
            ? GridPlanner.PlanOf((await experiment.ReadAsync(input, target, Cancellation))!, variant: 0)
            : (await run.ReadAsync(input, target, Cancellation))!;
        // Runs on tables are tested with Azurite.
        if (asked.Workload.Kind.UsesTables())
            return;

        var spec = asked with
        {
            Id = "few",
            Documents = FewDocuments,
            Workers = 1,
            WorkerOverrides = [],
            Warmup = TimeSpan.Zero,
            Workload = asked.Workload with { Preload = asked.Workload.Preload is null ? null : FewDocuments },
        };
        if (!folder.IsNew(spec))
            return;
        await using var simulated = await SimulatedAccount.StartAsync(
            AccountSettings.From(spec.Simulation ?? new SimulationSpec(), spec.Seed), Cancellation);
        var outcome = await new InProcessRun(simulated.Connection(), new MemoryRunStore()).RunAsync(spec, Cancellation);
        Assert.True(outcome.State == RunState.Complete, string.Join("; ", outcome.Reasons));
    }

    private async Task<string> AssertEndsAsync(List<string> arguments, Dictionary<string, string> environment)
    {
        var ended = await DevBoxCommand.RunAsync(folder.Path, arguments, environment);
        Assert.True(ended.ExitCode == 0, ended.Output + ended.Errors);
        Assert.NotEmpty(ended.Output);
        return ended.Output;
    }

    private async Task AssertErrorAsync(List<string> arguments, Dictionary<string, string> environment, string only)
    {
        var ended = await DevBoxCommand.RunAsync(folder.Path, arguments, environment);
        var error = Assert.Single(ended.Errors.Split('\n'), line => line.StartsWith("error: ", StringComparison.Ordinal));
        Assert.Contains(only, error, StringComparison.Ordinal);
        Assert.Equal(2, ended.ExitCode);
    }

    /// <summary>Starts a program on free ports and interrupts it when it serves.</summary>
    private async Task AssertServesAsync(List<string> arguments)
    {
        // Without a port an account takes a free one, but a server takes 5080.
        var all = arguments is ["serve"] ? ["serve", "--port", ""] : arguments;
        var onFreePorts = all.Select(
            (word, index) => index > 0 && all[index - 1].EndsWith("port", StringComparison.Ordinal) ? FreePort() : word);
        using var program = DevBoxProcess.Start(folder.Path, onFreePorts);
        await Until.HoldsAsync(() => program.HasExited || ServesLine().IsMatch(program.Output), string.Join(' ', arguments));
        Signals.Send(program.Id, Signals.Interrupt);
        await program.WaitAsync();
        Assert.True(program.ExitCode == 0, program.Errors);
    }

    private static string FreePort()
    {
        using var listener = new TcpListener(IPAddress.Loopback, 0);
        listener.Start();
        return $"{((IPEndPoint)listener.LocalEndpoint).Port}";
    }

    [GeneratedRegex(@"^([A-Z_]+=\S+ )*(devbox|dotnet (run -|test|build|publish|pack)) ?")]
    private static partial Regex InlineCommand();

    [GeneratedRegex(@"^(devbox \w+)(( --[\w-]+)*)$")]
    private static partial Regex BareName();

    /// <summary>The line with a server's page, or the last of an account's addresses.</summary>
    [GeneratedRegex(@"page +http|/ledger")]
    private static partial Regex ServesLine();
}
