namespace ScaleOut.Tests.EndToEnd.Documented;

/// <summary>
/// Every command of the documents is run as it stands there, on a smaller scale: by its own command line until it would start the load, and
/// its load, of a few documents, on a simulated account within the test.
/// </summary>
public sealed partial class DocumentedCommandTests(DocumentedFolder folder) : IClassFixture<DocumentedFolder>
{
    private const int FewDocuments = 200;

    /// <summary>Programs that are not this project's, and why their commands are not run here.</summary>
    private static readonly Dictionary<string, string> Foreign = new()
    {
        ["azd, az"] = "need a subscription; the names in them are checked by the tests of infra",
        ["docker"] = "needs Docker",
        ["npm, npx, node"] = "tests of their own, in JavaScript",
        ["keytool, java, python"] = "clients in other languages",
        ["cd, cp"] = "the shell's own; paths are checked by the tests of infra",
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

    [Theory]
    [MemberData(nameof(Commands))]
    public async Task Command_OfADocument_DoesWhatItIsForOnASmallerScale(string document, string text)
    {
        var command = Assert.Single(ShellCommand.Read(text));
        if (command.Program == "dotnet" && !command.Words.Contains("--project"))
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
            ["run", "resume", "experiment", "limit", "compare", "size", "init", "validate", "serve", "account", "calibrate", "profile"],
            name => Assert.Contains(commands, command => command.Contains($"devbox {name}", StringComparison.Ordinal)));
    }

    /// <summary>A command within a sentence that has no values is a name only: its help is there, and says what it names.</summary>
    private static string HelpOfName(string code) => BareName().Replace(code, "$1 --help$2");

    private static bool IsForeign(string program) => Foreign.Keys.Any(names => names.Split(", ").Contains(program));

    /// <summary>What a command gives to one of the two programs; null when it starts neither.</summary>
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

    /// <summary>What <c>dotnet</c> builds, tests or packs is there, and a filter names a class of tests.</summary>
    private static void AssertNamesWhatIsThere(ShellCommand command)
    {
        var words = command.Words.Skip(2).TakeWhile(word => !word.StartsWith('-')).ToList();
        if (command.Words[1] == "tool")
            Assert.Contains($"<PackageId>{words[1]}</PackageId>", File.ReadAllText(DocumentText.PathOf("DevBox/DevBox.csproj")));
        else
            Assert.All(words, path => Assert.True(Path.Exists(DocumentText.PathOf(path)), path));
        foreach (var filter in command.Words.Where(word => word.StartsWith("FullyQualifiedName~", StringComparison.Ordinal)))
            Assert.Contains(
                typeof(DocumentedCommandTests).Assembly.GetTypes(),
                type => type.FullName!.Contains(filter.Split('~')[1], StringComparison.Ordinal));
    }

    private async Task RunAsync(List<string> words, IReadOnlyDictionary<string, string> variables)
    {
        var environment = variables.ToDictionary(
            variable => variable.Key, variable => DocumentedFolder.Value(variable.Key, variable.Value));
        // What a document says of tables holds with a table account.
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
            case "validate" or "init" or "compare" or "size" or "resume" or "profile":
                await AssertEndsAsync(arguments, environment);
                break;
            case "calibrate":
                // All else is read and checked before the account that cannot be reached.
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

    /// <summary>All of a command line is read and checked before the id of a run that is there rejects it.</summary>
    private async Task AssertWouldStartAsync(List<string> arguments, Dictionary<string, string> environment)
    {
        var id = arguments.IndexOf("--id");
        await AssertErrorAsync(
            [.. arguments.Where((_, index) => id < 0 || (index != id && index != id + 1)), "--id", DocumentedFolder.Taken],
            environment, $"there is a run '{DocumentedFolder.Taken}'");
    }

    /// <summary>The load itself: of an experiment its first variant, of a search its base.</summary>
    private async Task RunFewAsync(List<string> arguments)
    {
        var command = new Command(arguments[0]);
        var (run, experiment, account) = (new SpecOptions(), new ExperimentOptions(), new AccountConnectionOptions());
        (arguments[0] == "experiment" ? (Action<Command>)experiment.AddTo : run.AddTo)(command);
        account.AddTo(command);
        var input = new CommandInput(command.Parse(UnknownOptions.TakeOut(command, [], arguments[1..]).Kept), []);
        var target = account.IsGiven(input) ? RunTarget.OtherAccount : RunTarget.SimulatedAccount;
        var asked = arguments[0] == "experiment"
            ? GridPlanner.PlanOf((await experiment.ReadAsync(input, target, Cancellation))!, variant: 0)
            : (await run.ReadAsync(input, target, Cancellation))!;
        // What tables do is tested on Azurite.
        if (asked.Workload.Kind.UsesTables())
            return;

        var spec = asked with
        {
            Id = "few", Documents = FewDocuments, Workers = 1, WorkerOverrides = [], Warmup = TimeSpan.Zero,
            Workload = asked.Workload with { Preload = asked.Workload.Preload is null ? null : FewDocuments },
        };
        if (!folder.IsNew(spec))
            return;
        await using var simulated = await SimulatedAccount.StartAsync(
            SimulatedAccountOptions.From(spec.Simulation ?? new SimulationSpec(), spec.Seed), Cancellation);
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

    /// <summary>What goes on until it is interrupted, on free ports.</summary>
    private async Task AssertServesAsync(List<string> arguments)
    {
        // An account without a port takes a free one, a server 5080.
        List<string> all = arguments is ["serve"] ? ["serve", "--port", ""] : arguments;
        var onFreePorts = all.Select(
            (word, index) => index > 0 && all[index - 1].EndsWith("port", StringComparison.Ordinal) ? FreePort() : word);
        using var program = DevBoxProcess.Start(folder.Path, onFreePorts);
        await Until.HoldsAsync(
            () => program.HasExited || ServesLine().IsMatch(program.Output), string.Join(' ', arguments), TimeSpan.FromMinutes(2));
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

    /// <summary>Of a server: where its page is. Of an account: the last of its addresses.</summary>
    [GeneratedRegex(@"page +http|/ledger")]
    private static partial Regex ServesLine();
}
