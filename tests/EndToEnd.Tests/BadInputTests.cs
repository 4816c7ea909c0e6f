namespace ScaleOut.Tests.EndToEnd;

/// <summary>
/// Invalid input gives one line for each error and exit code 2, without a stack trace. Some of these command lines run in a process of
/// their own, the others all in one process.
/// </summary>
public class BadInputTests : ProgramInFolder
{
    private static readonly string RandomKey = Convert.ToBase64String(new byte[64]);

    [Theory]
    [InlineData("{ \"documents\": 3,, }", "spec.json: not valid JSON at line 1, column ")]
    [InlineData("", "spec.json: the spec file is empty, or it is no regular file")]
    [InlineData("[]", "spec.json: a spec is a JSON object")]
    [InlineData("{ \"documnts\": 3 }", "spec.json: documnts: unknown field; did you mean 'documents'?")]
    [InlineData("{ \"documents\": 0 }", "spec.json: documents: 0 is out of range")]
    [InlineData("{ \"workers\": -1 }", "spec.json: workers: -1 is out of range")]
    [InlineData("{ \"client\": { \"concurrency\": 1e300 } }", "spec.json: client.concurrency: ")]
    public async Task Run_InvalidSpec_SaysWhatAndWhere(string spec, string message)
    {
        await WriteAsync("spec.json", spec);
        await AssertRejectedAsync(["run", "spec.json"], message);
    }

    /// <summary>Such bytes became U+FFFD without a word, so that different texts were one. Over HTTP they are refused, too.</summary>
    [Theory]
    [InlineData("validate", "spec.json")]
    [InlineData("experiment", "spec.json")]
    [InlineData("validate", "--document", "spec.json")]
    public async Task Command_FileThatIsNotUtf8_IsRefusedWithItsLine(params string[] command)
    {
        var bytes = Encoding.Latin1.GetBytes("{\n  \"name\": \"K\u00f6ln\"\n}");
        await File.WriteAllBytesAsync(In("spec.json"), bytes, Cancellation);
        await AssertRejectedAsync(command, "spec.json: line 2 is not in UTF-8; save the file in that encoding.");
    }

    /// <summary>As for a pipe that nobody reads.</summary>
    [Theory(Explicit = true)]
    [Trait("Duration", "Long")]
    [InlineData(">&-", "validate")]
    [InlineData(">&- 2>&-", "validate")]
    [InlineData(">&-", "--help")]
    [InlineData(">&-", "size", "--rate", "100", "--cpu-per-operation", "1ms", "--json", "-")]
    public async Task Command_ClosedStandardOutput_EndsAsWithAClosedPipe(string closed, params string[] command)
    {
        using var program = DevBoxProcess.StartAfter(Folder, $"exec {closed}", command);
        await program.WaitAsync();
        AssertEnded(program);
        Assert.DoesNotContain("error: ", program.Errors, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Serve_PortThatIsTaken_IsOneError()
    {
        using var other = new TcpListener(IPAddress.Loopback, 0);
        other.Start();
        var port = $"{((IPEndPoint)other.LocalEndpoint).Port}";
        using var program = await RunAsync("serve", "--port", port);
        AssertEnded(program, exitCode: 2);
        Assert.Equal($"error: --port: port {port} on 127.0.0.1 is in use by another process.", program.Errors.Trim());
    }

    [Fact]
    public async Task Validate_PriceListAsDocument_IsRefused()
    {
        File.Copy(Path.Combine(RepositoryFiles.Root, "infra", "prices.json"), In("prices.json"));
        await AssertRejectedAsync(["validate", "--document", "prices.json"], "prices.json: a price list, and no template of documents");
    }

    [Fact]
    public async Task Validate_MoreDocumentsThanRows_SaysThatTheyRepeat()
    {
        await WriteAsync("x.csv", "Origin,n\n" + string.Concat(Enumerable.Range(0, 30).Select(row => $"A{row},1\n")));
        var response = await CommandAsync("validate", "--documents", "50", "--csv", "x.csv", "--key-column", "Origin");
        // 3 in any document, 2 for each of its two values: 4 x (26 + 7) / 21, of its own columns.
        AssertText.Has(
            response.Output.ReplaceLineEndings(" "), "; the 30 rows of the file repeat in 50 documents", "charge         7 index entries",
            "; 6.29 RU to create", "request units  314, 6.29 for each insert", "the key is /Origin");
    }

    /// <summary>An unknown field cost 16 times its bytes in errors.</summary>
    [Fact]
    public async Task Validate_ThousandsOfUnknownFields_NamesTheFirstHundred()
    {
        var fields = string.Join(", ", Enumerable.Range(0, 5_000).Select(field => $"\"x{field}\": 1"));
        await WriteAsync("spec.json", $"{{ \"documents\": 5, {fields} }}");
        var response = await CommandAsync("validate", "spec.json");
        Assert.Equal(2, response.ExitCode);
        Assert.Contains("x99: unknown field", response.Errors, StringComparison.Ordinal);
        Assert.Contains("spec.json: 4,900 more errors", response.Errors, StringComparison.Ordinal);
        Assert.DoesNotContain("x100: unknown field", response.Errors, StringComparison.Ordinal);
    }

    /// <summary>System.CommandLine would put the words of the file in its place.</summary>
    [Fact]
    public async Task Command_ArgumentThatBeginsWithAt_IsTakenAsItIs()
    {
        await WriteAsync("words", "--workers zero");
        await AssertRejectedAsync(["validate", "@words"], "@words: there is no such spec file.");
        await AssertRejectedAsync(["validate", "--id", "@words"], "id: \"@words\" is not a run id");
    }

    [Theory]
    [InlineData("order\u202e66")]
    [InlineData("\u2067x")]
    public async Task Command_NameThatReordersText_IsRefused(string text)
    {
        await WriteAsync("spec.json", $"{{ \"name\": \"{text}\" }}");
        await AssertRejectedAsync(
            ["validate", "spec.json"], "spec.json: name: ", " is not a text of at most 200 characters, none of which reorders text");
    }

    [Fact]
    public async Task Run_ErrorsInSeveralPlaces_ReportsAllAtOnce()
    {
        await WriteAsync("spec.json", """{ "warmup": "soon" }""");

        using var program = await RunAsync(
            "run", "spec.json", "--documents", "many", "--mode", "Sideways", "--fail-if", "p99>", "--json", "no/such/folder/x.json");

        AssertOnlyErrors(
            ResponseOf(program), key: null,
            "spec.json: warmup: ",
            "documents: \"many\" is not a whole number (given as --documents)",
            "client.connectionMode: \"Sideways\" is not one of Gateway, Direct (given as --mode)",
            "--fail-if: position 5: ",
            "--json: there is no folder");
    }

    [Fact]
    public async Task Experiment_ConditionOfARun_IsRejectedWithTheNearestName()
    {
        const string condition = "throttledShare>0.05 || published.pairs.disagrees>0";
        await AssertRejectedAsync(
            ["experiment", Path.Combine(RepositoryFiles.Plans, "scale-out.json"), "--fail-if", condition],
            "--fail-if: position 1: unknown name 'throttledShare'", "published.pairs.disagree");
    }

    [Theory]
    [InlineData(
        "run --workers zero --thruput 5",
        "There is no option '--thruput'; did you mean '--throughput'?",
        "workers: \"zero\" is not a whole number (given as --workers)")]
    [InlineData(
        "absent.json --unheard=of --workers 1 --workers 2 --documents x --mode",
        "There is no option '--unheard'.",
        "Option '--workers' expects a single argument but 2 were provided.",
        "Required argument missing for option: '--mode'.",
        "absent.json: there is no such spec file.",
        "documents: \"x\" is not a whole number (given as --documents)")]
    [InlineData(
        "validate broken.json surplus --workers zero",
        "Unrecognized command or argument 'surplus'.",
        "broken.json: not valid JSON at line 1, column 2: ",
        "workers: \"zero\" is not a whole number (given as --workers)")]
    [InlineData(
        "experiment --repeat 3 --scale 7 --id Not_An_Id",
        "There is no option '--repeat'; did you mean '--repeats'?",
        "scale: 7 is out of range 1E-06..1 (given as --scale)",
        "id: ")]
    [InlineData("experiment --scale x", "The argument 'experiment.json' is missing.", "scale: \"x\" is not a number (given as --scale)")]
    [InlineData(
        "size --rates 5 --rate -5 --headroom x",
        "There is no option '--rates'; did you mean '--rate'?",
        "--rate: '-5' is not a number from 0.01",
        "--headroom: 'x' is not a number from 0 to 0.9.")]
    [InlineData(
        "compare absent.json --jso", "There is no option '--jso'; did you mean '--json'?", "The argument 'b' is missing.",
        "absent.json: there is no such report.")]
    [InlineData(
        "serve --ports 1 --port x --max-rus -4",
        "There is no option '--ports'; did you mean '--port'?",
        "--port: 'x' is not a whole number, 0 to 65535.",
        "--max-rus: '-4' is not a whole number, 1 to 10000000.")]
    [InlineData(
        "resume never-run --unheard --fail-if p99>", "There is no option '--unheard'.", "--fail-if: position 5: ",
        "there is no run 'never-run' in runs.")]
    [InlineData("resume --fail-if p99>", "The argument 'run id' is missing.", "--fail-if: position 5: ")]
    [InlineData(
        "account --throttling maybe --port x", "--throttling: 'maybe' is neither on nor off.", "--port: 'x' is not a port, 1 to 65535.")]
    [InlineData("account --run 1 --unheard", "There is no option '--unheard'.")]
    public async Task AnyCommand_InvalidLineAndValues_ReportsEachErrorOnceAndStartsNothing(string line, params string[] expected)
    {
        await WriteAsync("broken.json", "{,");

        var program = await CommandAsync(line.Split(' '));

        AssertEnded(program, exitCode: 2);
        var errors = program.Errors.Split('\n', StringSplitOptions.RemoveEmptyEntries | StringSplitOptions.TrimEntries);
        Assert.All(expected, text => Assert.Single(errors, error => error.StartsWith($"error: {text}", StringComparison.Ordinal)));
        Assert.True(errors.Length == expected.Length, program.Errors);
        Assert.Empty(program.Output);
        Assert.Equal(["broken.json"], Directory.EnumerateFileSystemEntries(Folder).Select(Path.GetFileName));
    }

    [Theory]
    [InlineData("no-such-spec.json: there is no such spec file.", "no-such-spec.json")]
    [InlineData("There is no command 'frobnicate', and no spec file of that name. The commands are run, ", "frobnicate")]
    [InlineData("--out: the run's folder cannot be in 'taken/runs': ", "--out=taken/runs")]
    [InlineData(
        "experiment.json: this is the spec of an experiment, not of a run; run it with: devbox experiment experiment.json",
        "experiment.json")]
    [InlineData("There is no option '--no-such-option'.", "--no-such-option")]
    [InlineData("did you mean throttledShare", "--fail-if=throttledShar>0.05")]
    [InlineData("--account: not an endpoint", "--account=somewhere")]
    [InlineData("--account-thumbprint: only beside --account", "--account-thumbprint=00")]
    [InlineData("id: ", "--id=Not_An_Id")]
    [InlineData("--out: the folder has no name.", "--out= ")]
    [InlineData("--out: the run's folder", "--out", "taken")]
    [InlineData(".: a folder, not a spec file.", ".")]
    [InlineData("simulation: only with the simulated account", "--account", "https://localhost:1/", "--latency", "none")]
    [InlineData(
        "--account-thumbprint: A certificate thumbprint is not accepted for mine.documents.azure.com", "--account",
        "https://mine.documents.azure.com/", "--account-thumbprint", "0000000000000000000000000000000000000000000000000000000000000000")]
    [InlineData("--port: '99999' is not a port", "account", "--port", "99999")]
    [InlineData("--listen: 'here' is not an IP address", "account", "--listen", "here")]
    [InlineData("none/account.key: there is no such key file", "account", "--key-file", "none/account.key")]
    [InlineData("/dev/zero: the key file is empty, or it is no regular file", "account", "--key-file", "/dev/zero")]
    [InlineData("--partitions: 0 is out of range", "account", "--partitions", "0")]
    public async Task AnyCommand_InvalidArgument_IsRejected(string message, params string[] arguments)
    {
        await WriteAsync("taken", "a file");
        await WriteAsync("experiment.json", """{"base":{"documents":0} }""");

        await AssertRejectedAsync(arguments, message);
    }

    [Fact]
    public async Task Run_CsvWithBrokenRows_NamesTheirLines()
    {
        Directory.CreateDirectory(In("plans"));
        await WriteAsync(In("plans", "rows.csv"), "airport,n\nZRH,1\nZRH\nATL,2,3\nATL,4\n");
        await WriteAsync(In("plans", "spec.json"), """{ "document": { "kind": "csv", "csv": "rows.csv", "keyColumn": "airport" } }""");

        await AssertRejectedAsync(
            ["run", Path.Combine("plans", "spec.json")],
            "rows.csv\": 2 of 4 rows are broken: line 3 (another number of columns than the header), line 4 (another number of columns "
            + "than the header)");
    }

    /// <summary>Paths in a spec file are relative to it.</summary>
    [Theory]
    [InlineData("size", "spec.json: document.csv: there is no file \"", "--rate", "100")]
    [InlineData("experiment", "experiment.json: base.document.csv: there is no file \"")]
    [InlineData("validate", "experiment.json: base.document.csv: there is no file \"")]
    [InlineData("experiment", "change.json: variants[1].change.document.csv: there is no file \"")]
    [InlineData("experiment", "column.json: base.document.csv: there is no file \"")]
    public async Task Command_CsvIsNotThere_NamesItsFieldAndPath(string command, string message, params string[] options)
    {
        const string Csv = """{ "document": { "kind": "csv", "csv": "none.csv", "keyColumn": "airport" } }""";
        Directory.CreateDirectory(In("plans"));
        await WriteAsync(In("plans", "spec.json"), Csv);
        await WriteAsync(In("plans", "experiment.json"), $$"""{ "base": {{Csv}}, "variants": [{ "name": "a" }, { "name": "b" }] }""");
        await WriteAsync(
            In("plans", "change.json"), $$"""{ "base": {}, "variants": [{ "name": "a" }, { "name": "b", "change": {{Csv}} }] }""");

        await WriteAsync(
            In("plans", "column.json"),
            $$"""{ "base": {{Csv}}, "variants": [{ "name": "a", "change": { "document": { "keyColumn": "city" } } }, { "name": "b" }] }""");

        var file = Path.Combine("plans", message.Split(':')[0]);
        await AssertRejectedAsync(
            [command, file, .. options],
            Path.Combine("plans", message) + JsonEncodedText.Encode(Path.GetFullPath(In("plans", "none.csv"))));
    }

    [Fact]
    public async Task Run_AccountDoesNotRespond_IsRejected()
    {
        var account = ClosedPort.New();
        await AssertRejectedWithKeyAsync(
            ["--account", $"{account}", "--documents", "10", "--workers", "1"], RandomKey, $"localhost:{account.Port}");
    }

    [Fact]
    public async Task Run_WrongKey_IsRejected()
    {
        await using var account = await KilledRuns.StartAccountAsync();
        using var program = await RunAsync([.. KilledRuns.Target(account), "--documents", "10", "--workers", "1"], Variables(RandomKey));
        AssertOnlyErrors(ResponseOf(program), RandomKey, "401");
        Assert.Empty(account.ReadLedger().Containers);
    }

    [Fact]
    public async Task Run_MissingContainer_IsRejected()
    {
        await using var account = await KilledRuns.StartAccountAsync();
        await AssertRejectedWithKeyAsync(
            [.. KilledRuns.Target(account), "--documents", "10", "--workers", "1", "--container", "absent"], account.Key, "container.");
        Assert.Empty(account.ReadLedger().Containers);
    }

    [Fact(Explicit = true)]
    [Trait("Duration", "Long")]
    public async Task Run_OtherAccount_CompletesAndShowsNoKey()
    {
        await using var account = await KilledRuns.StartAccountAsync();
        string[] arguments = [.. KilledRuns.Target(account), "--documents", "500", "--workers", "1", "--id", "other"];
        using var run = await RunAsync(arguments, KilledRuns.Key(account));

        AssertEnded(run);
        var container = Assert.Single(account.ReadLedger().Containers);
        Assert.Equal(500, container.Documents.Created);
        Assert.True(container.Deleted);
        Assert.DoesNotContain(account.Key, run.Output + run.Errors, StringComparison.Ordinal);
        Assert.All(
            Directory.EnumerateFiles(Folder, "*", SearchOption.AllDirectories),
            file => Assert.DoesNotContain(account.Key, File.ReadAllText(file), StringComparison.Ordinal));
    }

    [Fact]
    public async Task Account_PortInUse_SaysWhich()
    {
        using var listener = new TcpListener(IPAddress.Loopback, 0);
        listener.Start();
        var port = ((IPEndPoint)listener.LocalEndpoint).Port;
        await AssertRejectedAsync(["account", "--port", $"{port}"], $"Port {port} on 127.0.0.1");
    }

    [Theory]
    [InlineData("validate /dev/zero", "/dev/zero: the spec file is empty, or it is no regular file")]
    [InlineData("validate pipe", "pipe: the spec file is empty, or it is no regular file")]
    [InlineData("validate link-to-zero", "link-to-zero: the spec file is empty, or it is no regular file")]
    [InlineData("validate link-to-pipe", "link-to-pipe: the spec file is empty, or it is no regular file")]
    [InlineData("validate link-to-large", "link-to-large: the spec file is larger than 256 MiB")]
    [InlineData("validate link-to-nothing", "link-to-nothing: ")]
    [InlineData("compare /dev/zero pipe", "/dev/zero: the report is empty, or it is no regular file")]
    [InlineData("validate --csv /dev/zero --key-column a", "is empty, or it is no regular file")]
    [InlineData("validate large.json", "large.json: the spec file is larger than 256 MiB")]
    [InlineData("run --account https://host.invalid/?key=c2VjcmV0", "--account: not an endpoint such as")]
    [InlineData("run --account https://host.invalid/#c2VjcmV0", "--account: not an endpoint such as")]
    [InlineData("experiment pair.json --account https://127.0.0.1:1/", "--account: ")]
    [InlineData("experiment pair.json --account http://127.0.0.1:1/", "Direct")]
    [InlineData("limit --until p99<20ms --account https://127.0.0.1:1/", "--account: ")]
    public async Task AnyCommand_EndlessOrUnreachableInput_IsRejectedAtOnce(string line, string message)
    {
        Assert.SkipWhen(OperatingSystem.IsWindows(), "Windows has no devices or pipes among its files.");
        using (var mkfifo = System.Diagnostics.Process.Start("mkfifo", In("pipe")))
            await mkfifo.WaitForExitAsync(Cancellation);
        await using (var large = File.Create(In("large.json")))
            large.SetLength(300L << 20);
        foreach (var (link, target) in (ReadOnlySpan<(string, string)>)
            [("zero", "/dev/zero"), ("pipe", "pipe"), ("large", "large.json"), ("nothing", "nothing")])
            File.CreateSymbolicLink(In($"link-to-{link}"), target);
        await WriteAsync("pair.json", """{"variants":[{"name":"a"},{"name":"b"}]}""");

        var program = await CommandAsync(line.Split(' '));

        Assert.Equal(2, program.ExitCode);
        Assert.Contains(message, program.Errors, StringComparison.Ordinal);
        Assert.DoesNotContain("c2VjcmV0", program.Errors + program.Output, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("never-run", "there is no run 'never-run' in runs")]
    [InlineData("../elsewhere", "there is no run '../elsewhere' in runs")]
    public async Task Resume_UnknownRun_IsRejected(string id, string message)
    {
        await AssertRejectedAsync(["resume", id], message);
        Assert.Empty(Directory.EnumerateFileSystemEntries(Folder));
    }

    private Task AssertRejectedAsync(string[] arguments, params string[] messages) =>
        AssertRejectedWithKeyAsync(arguments, key: null, messages);

    private async Task AssertRejectedWithKeyAsync(string[] arguments, string? key, params string[] messages) =>
        AssertOnlyErrors(await CommandAsync(arguments, Variables(key)), key, messages);

    private static Dictionary<string, string>? Variables(string? key) => key is null ? null : new() { ["COSMOS_KEY"] = key };

    private static void AssertOnlyErrors(CommandResponse program, string? key, params string[] messages)
    {
        AssertRejected(program);
        var errors = program.Errors.Split('\n', StringSplitOptions.RemoveEmptyEntries | StringSplitOptions.TrimEntries);
        Assert.All(messages, message => Assert.Contains(errors, error => error.Contains(message, StringComparison.Ordinal)));
        Assert.All(errors, error => Assert.StartsWith("error: ", error, StringComparison.Ordinal));
        if (key is not null)
            Assert.DoesNotContain(key, program.Output + program.Errors, StringComparison.Ordinal);
    }
}
