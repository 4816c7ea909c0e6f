namespace ScaleOut.Tests.DevBox.Commands;

public sealed class InitCommandTests
{
    private static CancellationToken Cancellation => TestContext.Current.CancellationToken;

    [Fact(Explicit = true)]
    [Trait("Duration", "Long")]
    public async Task Init_AnyReplies_WritesASpecThatHasThemAndThatValidateAccepts()
    {
        using var folder = new TemporaryFolder();
        (string Document, string Key)[] documents =
        [
            ("template", "customerId"), ("template", "/status"), ("template", "id"), ("template", "the key \"é\""),
            ("perfTest", "PartitionKey"), ("perfTest", "id"), ("device", "/id"), ("device", "ownerId"),
        ];
        foreach (var ((document, key), at) in documents.Select((entry, at) => (entry, at)))
        {
            foreach (var workload in (string[])["insert", "upsert", "bulk", "read", "delete"])
            {
                var file = $"{document}-{at}-{workload}.jsonc";
                string[] replies =
                    ["--document", document, "--partition-key", key, "--workload", workload, "--documents", "5000", "--workers", "3"];
                var written = await DevBoxCommand.RunAsync(folder.Path, ["init", file, .. replies, "--throughput", "12000"]);
                Assert.True(written.ExitCode == 0, written.Errors);
                var validated = await DevBoxCommand.RunAsync(folder.Path, ["validate", file]);
                Assert.True(validated.ExitCode == 0, $"{file}: {validated.Errors}");
                Assert.Contains("valid: run: 5,000 documents, 3 workers", validated.Output, StringComparison.Ordinal);

                var text = await File.ReadAllTextAsync(Path.Combine(folder.Path, file), Cancellation);
                var spec = RunSpecReader.Read(text, RunTarget.SimulatedAccount).Value!;
                Assert.Equal((document, workload), (EnumNames.NameOf(spec.Document.Kind), EnumNames.NameOf(spec.Workload.Kind)));
                Assert.Equal(($"/{key.TrimStart('/')}", 12_000), (spec.Container.PartitionKeyPath, spec.Container.Throughput));
                Assert.Contains("  // Workers that share them; ", text, StringComparison.Ordinal);
                Assert.Equal(workload == "bulk" ? 1_000 : 20, spec.SettingsOf(0).Concurrency);
            }
        }
    }

    [Fact]
    public async Task Init_WithoutATerminal_NamesAllMissingOptionsAndWritesNothing()
    {
        using var folder = new TemporaryFolder();
        var program = await DevBoxCommand.RunAsync(folder.Path, ["init", "my.jsonc", "--workers", "0", "--document", "device"]);
        Assert.Equal(2, program.ExitCode);
        Assert.All(
            ["--partition-key", "--workload", "--documents", "--throughput"],
            option => Assert.Contains($"{option}: is missing, and there is no terminal", program.Errors, StringComparison.Ordinal));
        Assert.Contains("workers: 0 is out of range", program.Errors, StringComparison.Ordinal);
        Assert.Empty(Directory.GetFileSystemEntries(folder.Path));
    }

    [Fact]
    public async Task Init_ExistingFile_StaysAsItIs()
    {
        using var folder = new TemporaryFolder();
        var file = Path.Combine(folder.Path, "my.jsonc");
        await File.WriteAllTextAsync(file, "mine", Cancellation);
        const string Line =
            "init my.jsonc --document device --partition-key id --workload insert --documents 5 --workers 1 --throughput 400";
        var program = await DevBoxCommand.RunAsync(folder.Path, Line.Split(' '));
        Assert.Equal(2, program.ExitCode);
        Assert.Contains("my.jsonc: is there already, and no file is overwritten", program.Errors, StringComparison.Ordinal);
        Assert.Equal("mine", await File.ReadAllTextAsync(file, Cancellation));
    }

    [Fact]
    public void Ask_NarrowTerminal_BreaksBetweenWords()
    {
        using var lines = new StringWriter();
        var output = new WrappingWriter(lines, () => 60);
        foreach (var question in InitialSpec.Questions)
        {
            InitialSpec.Ask(question, new Dictionary<InitQuestion, string>(), new StringReader("\n"), output);
            // A terminal shows the end of the reply's line.
            lines.Write('\n');
        }

        var asked = lines.ToString();
        Assert.All(asked.Split('\n'), line => Assert.InRange(line.Length, 0, 60));
        Assert.All(
            InitialSpec.Questions.SelectMany(question => question.Text.Split(' ')),
            word => Assert.Contains(word, asked.Split([' ', '\n'])));
    }

    [Fact]
    public void Ask_WrongReply_IsAskedAgainAndAnEmptyLineIsTheDefault()
    {
        var replies = new Dictionary<InitQuestion, string>();
        var input = new StringReader("tables\ndevice\ncustomerId\n\n\nmany\n300\n\n12345\n12000\n");
        var output = new StringWriter();

        foreach (var question in InitialSpec.Questions)
            replies[question] = InitialSpec.Ask(question, replies, input, output);

        Assert.Equal(["device", "id", "insert", "300", "4", "12000"], InitialSpec.Questions.Select(question => replies[question]));
        Assert.Empty(RunSpecReader.Read(InitialSpec.TextOf(replies), RunTarget.SimulatedAccount).Errors);
        Assert.All(
            ["\"tables\" is not one of", "\"/customerId\" cannot be the key", "\"many\" is not a whole number", "12345 is not a multiple"],
            error => Assert.Contains(error, output.ToString(), StringComparison.Ordinal));
        Assert.Throws<InputException>(
            () => InitialSpec.Ask(InitialSpec.Questions[0], new Dictionary<InitQuestion, string>(), TextReader.Null, output));
    }
}
