namespace ScaleOut.Tests.EndToEnd;

/// <summary>
/// A run whose stored evidence contradicts itself is not resumed. The command names the wrong file before any process starts.
/// </summary>
public sealed class ContradictingEvidenceTests : ProgramInFolder
{
    private const string Id = "torn";
    private const string First = "torn/legs/0000/000001/result.json";

    private static readonly RunSpec Spec = new() { Id = Id, Documents = 200, Workers = 2, Simulation = new SimulationSpec() };

    private FolderRunStore Store => new(Runs);

    [Theory]
    [InlineData(
        "next beyond the slice",
        $"{First} contradicts itself or its run: its next document is 140, outside what it was given (documents 0 to 99).")]
    [InlineData("another worker's result", $"{First} contradicts itself or its run: it is the result of leg 1 of worker 1.")]
    [InlineData(
        "other documents in the spec",
        $"{First} contradicts itself or its run: it was made for the documents 0 to 149, and torn/spec.json gives")]
    [InlineData(
        "spec edited", "torn/spec.json is damaged: its content does not have the checksum that was written with it, so it was changed.")]
    [InlineData("older version", $"{First} cannot be read: it was written by an older version of this program (format 1;")]
    [InlineData("no preparation", "its legs have begun, and torn/prepared.json is missing in runs. Restore a copy of it")]
    public async Task Resume_ContradictingEvidence_IsAnErrorAtOnceThatNamesTheFile(string kind, string message)
    {
        await BeginAsync(isPrepared: kind != "no preparation");
        await Store.WriteAsync(Id, LegNames.Result(0, 1), kind switch
        {
            "next beyond the slice" => Item(Result(worker: 0, new NumberRange(0, 100), next: 140)),
            "another worker's result" => Item(Result(worker: 1, new NumberRange(100, 100), next: 140)),
            "other documents in the spec" => Item(Result(worker: 0, new NumberRange(0, 150), next: 40)),
            "older version" => """{"output":{"worker":0,"leg":1},"attempt":1}"""u8.ToArray(),
            _ => Item(Result(worker: 0, new NumberRange(0, 100), next: 40)),
        }, Cancellation);
        if (kind == "spec edited")
        {
            var spec = Encoding.UTF8.GetString((await Store.ReadAsync(Id, "spec.json", Cancellation))!);
            var edited = spec.Replace("\"documents\":200", "\"documents\":300", StringComparison.Ordinal);
            Assert.NotEqual(spec, edited);
            await Store.WriteAsync(Id, "spec.json", Encoding.UTF8.GetBytes(edited), Cancellation);
        }

        var before = await ContentAsync();
        var program = await CommandAsync("resume", Id);

        AssertEnded(program, exitCode: 2);
        var error = Assert.Single(program.Errors.Split('\n', StringSplitOptions.RemoveEmptyEntries));
        Assert.Contains(message, error, StringComparison.Ordinal);
        Assert.Equal(before, await ContentAsync());
    }

    private async Task BeginAsync(bool isPrepared)
    {
        var files = new RunFiles(Store, Id);
        Assert.True(await files.TryClaimAsync(Spec, Cancellation));
        var target = new ContainerTarget("scaleout", "run-torn", "/PartitionKey");
        if (isPrepared)
            await files.CreatePreparedIfAbsentAsync(
                new() { Target = target, Created = true, Simulated = true, CountBefore = 0 }, Cancellation);
    }

    private static LegResult Result(int worker, NumberRange slice, long next)
    {
        var leg = Legs.Leg(worker, 1, inserted: next - slice.First, end: LegEnd.TimeUp);
        return leg with { Output = leg.Output with { Next = next }, Range = new(slice, slice.First, []) };
    }

    private static byte[] Item(LegResult result) => StoredItem.Write(First, result);

    /// <summary>All items of the run except the lock of the command.</summary>
    private async Task<Dictionary<string, string>> ContentAsync()
    {
        var content = new Dictionary<string, string>();
        foreach (var name in (await Store.ListAsync(Id, "", Cancellation)).Where(name => name != "lock"))
            content[name] = Convert.ToHexString((await Store.ReadAsync(Id, name, Cancellation))!);
        return content;
    }
}
