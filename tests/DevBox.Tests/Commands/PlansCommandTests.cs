namespace ScaleOut.Tests.DevBox.Commands;

public sealed class PlansCommandTests : IDisposable
{
    private readonly TemporaryFolder _folder = new();

    private static CancellationToken Cancellation => TestContext.Current.CancellationToken;

    private static string Prices => Path.Combine(RepositoryFiles.Root, "infra", "prices.json");

    private static IEnumerable<string> Plans => Directory.EnumerateFiles(RepositoryFiles.Plans, "*.json")
        .Where(file => !file.EndsWith(".schema.json", StringComparison.Ordinal));

    public void Dispose() => _folder.Dispose();

    [Fact]
    public async Task Plans_WithoutAName_ListsEveryPlanOfTheRepositoryAndThePrices()
    {
        var listed = await CommandAsync("plans");

        Assert.True(listed.ExitCode == 0, listed.Errors);
        var lines = listed.Output.Split('\n', StringSplitOptions.RemoveEmptyEntries | StringSplitOptions.TrimEntries);
        Assert.Equal(
            [.. Plans.Append(Prices).Select(file => Path.GetFileNameWithoutExtension(file)!).Order(StringComparer.Ordinal)],
            lines.Select(line => line.Split(' ')[0]));
        Assert.Matches("(?m)^  orders +run +Orders keyed by customer", listed.Output);
        Assert.Matches("(?m)^  scale-out +experiment +Scaling out from 1 to 16 workers: [0-9]+ runs, about ", listed.Output);
    }

    /// <summary>Every scale that is listed is accepted, and half of it is not.</summary>
    [Fact]
    public async Task Plans_WithoutAName_ListTheSmallestScaleThatEachPlanTakes()
    {
        var listed = (await CommandAsync("plans")).Output.Split('\n').Select(line => Regex.Match(line, @"^  (\S+) .* --scale ([0-9.]+) "))
            .Where(match => match.Success)
            .ToDictionary(match => match.Groups[1].Value, match => double.Parse(match.Groups[2].Value, CultureInfo.InvariantCulture));

        Assert.True(listed.Count > 5, $"{listed.Count} plans can be scaled");
        foreach (var (name, scale) in listed)
        {
            var text = await File.ReadAllTextAsync(Path.Combine(RepositoryFiles.Plans, $"{name}.json"), Cancellation);
            var spec = ExperimentSpecReader.Read(text).Value!;
            Assert.Null(ExperimentScaleCheck.ErrorOf(spec with { Scale = scale }));
            // Steps of a load last for at least a second, so that they take a smaller scale than in proportion.
            if (!text.Contains("\"steps\"", StringComparison.Ordinal))
                Assert.NotNull(ExperimentScaleCheck.ErrorOf(spec with { Scale = scale * 0.5 }));
        }
    }

    [Fact]
    public async Task Plans_All_AreThoseOfTheRepositoryAndValid()
    {
        var copied = await CommandAsync("plans", "all", "--out", "mine");

        Assert.True(copied.ExitCode == 0, copied.Errors);
        foreach (var file in Plans.Append(Prices))
        {
            var copy = Path.Combine("mine", Path.GetFileName(file));
            Assert.Contains($"written: {copy}\n", copied.Output, StringComparison.Ordinal);
            Assert.Equal(await File.ReadAllTextAsync(file, Cancellation), await File.ReadAllTextAsync(In(copy), Cancellation));
        }

        Assert.All(["run.schema.json", "experiment.schema.json"], name => Assert.True(File.Exists(In("mine", name)), name));
        var valid = await CommandAsync("validate", "mine/orders.json", "--prices", "mine/prices.json");
        Assert.True(valid.ExitCode == 0, valid.Errors);
        Assert.Contains("  cost ", valid.Output, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Plans_ChangedCopy_IsNotOverwritten()
    {
        Assert.Equal(0, (await CommandAsync("plans", "orders")).ExitCode);
        Assert.Equal(0, (await CommandAsync("plans", "orders")).ExitCode);
        await File.WriteAllTextAsync(In("plans", "orders.json"), "mine", Cancellation);

        var rejected = await CommandAsync("plans", "million", "orders");

        Assert.Equal(2, rejected.ExitCode);
        Assert.Contains("orders.json: is there already with other content", rejected.Errors, StringComparison.Ordinal);
        Assert.Equal("mine", await File.ReadAllTextAsync(In("plans", "orders.json"), Cancellation));
        Assert.False(File.Exists(In("plans", "million.json")));
    }

    [Fact]
    public async Task Plans_ChangedSchema_IsNotOverwritten()
    {
        Directory.CreateDirectory(In("plans"));
        await File.WriteAllTextAsync(In("plans", "run.schema.json"), "mine", Cancellation);

        var rejected = await CommandAsync("plans", "orders");

        Assert.Equal(2, rejected.ExitCode);
        Assert.Contains("run.schema.json: is there already with other content", rejected.Errors, StringComparison.Ordinal);
        Assert.Equal("mine", await File.ReadAllTextAsync(In("plans", "run.schema.json"), Cancellation));
        Assert.False(File.Exists(In("plans", "orders.json")));
    }

    [Fact]
    public async Task Plans_UnknownName_IsRejectedWithTheNearest()
    {
        var rejected = await CommandAsync("plans", "order", "nothing-like-it", "--out", " ");

        Assert.Equal(2, rejected.ExitCode);
        Assert.All(
            ["no plan 'order'; did you mean 'orders'?", "no plan 'nothing-like-it'. The plans are burst, ", "--out:"],
            error => Assert.Contains(error, rejected.Errors, StringComparison.Ordinal));
        Assert.Empty(Directory.GetFileSystemEntries(_folder.Path));
    }

    private string In(params string[] names) => Path.Combine([_folder.Path, .. names]);

    private Task<CommandResponse> CommandAsync(params string[] arguments) => DevBoxCommand.RunAsync(_folder.Path, arguments);
}
