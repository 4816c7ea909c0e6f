using FsCheck;
using FsCheck.Fluent;

namespace ScaleOut.Tests.EndToEnd;

/// <summary>However the items of a run are damaged, its report is never complete with other figures, and it names the item.</summary>
public sealed class AnyDamageTests(DamagedRun measured) : IClassFixture<DamagedRun>
{
    private static readonly string[] ReadBesideLegs = ["spec.json", "prepared.json", "ending.json", "ended.json", "report.json"];

    private static CancellationToken Cancellation => TestContext.Current.CancellationToken;

    private List<string> Results =>
        [.. measured.Items.Keys.Where(name => name.EndsWith("/result.json", StringComparison.Ordinal)).Order(StringComparer.Ordinal)];

    [Fact]
    public async Task Judge_NothingIsChanged_IsTheSameReport() => Assert.Null(await NoticedAsync(measured.Items));

    [Fact(Explicit = true)]
    [Trait("Duration", "Long")]
    public void Judge_AnyByteChangedOrAnyPartCutOff_IsNoticed()
    {
        var names = Results.Concat(ReadBesideLegs).ToList();
        Properties.Holds(Prop.ForAll(
            ArbMap.Default.ArbFor<NonNegativeInt>(), ArbMap.Default.ArbFor<NonNegativeInt>(), ArbMap.Default.ArbFor<byte>(),
            (which, where, change) =>
            {
                var name = names[which.Get % names.Count];
                var content = measured.Items[name];
                var at = (where.Get * 7919) % content.Length;
                var changed = content[..(change == 0 ? at : content.Length)];
                if (change != 0)
                    changed[at] ^= change;
                return NoticedAsync(With(name, changed)).GetAwaiter().GetResult() is { } noticed
                    && noticed.Contains($"{DamagedRun.Id}/{name}", StringComparison.Ordinal);
            }));
    }

    [Fact(Explicit = true)]
    [Trait("Duration", "Long")]
    public async Task Judge_AnyTwoResultsSwappedOrOneCopiedOverTheOther_IsNoticed()
    {
        var results = Results;
        foreach (var (one, other) in results.SelectMany((one, i) => results.Skip(i + 1).Select(other => (one, other))))
        {
            var copied = With(one, measured.Items[other]);
            var swapped = new Dictionary<string, byte[]>(copied) { [other] = measured.Items[one] };
            Assert.Contains($"{DamagedRun.Id}/{one}", await NoticedAsync(swapped), StringComparison.Ordinal);
            Assert.Contains($"{DamagedRun.Id}/{one}", await NoticedAsync(copied), StringComparison.Ordinal);
        }
    }

    [Fact]
    public async Task Judge_AnyResultDeletedOrCopiedToWhereNoneWas_IsNoticed()
    {
        foreach (var name in Results)
        {
            var deleted = measured.Items.Where(item => item.Key != name).ToDictionary();
            Assert.Contains($"{DamagedRun.Id}/{name} is missing", await NoticedAsync(deleted), StringComparison.Ordinal);
            await AssertCopyIsNamedAsync(LegNames.Result(LegNames.Read(name)!.Worker, 77), name);
        }
    }

    [Fact]
    public async Task Judge_ItemsOfTheRunSwapped_IsNoticed()
    {
        foreach (var (one, other) in from one in ReadBesideLegs from other in ReadBesideLegs where one != other select (one, other))
            await AssertCopyIsNamedAsync(one, other);
    }

    private Dictionary<string, byte[]> With(string name, byte[] content) => new(measured.Items) { [name] = content };

    private async Task AssertCopyIsNamedAsync(string item, string source) => Assert.Contains(
        $"{DamagedRun.Id}/{item} is damaged: it is a copy of {DamagedRun.Id}/{source}",
        await NoticedAsync(With(item, measured.Items[source])), StringComparison.Ordinal);

    /// <summary>Reads all items and makes the report again. Returns what was noticed, or null if the report is the same.</summary>
    private async Task<string?> NoticedAsync(IReadOnlyDictionary<string, byte[]> items)
    {
        var store = new MemoryRunStore();
        await DamagedRun.FillAsync(store, items);
        var files = new RunFiles(store, DamagedRun.Id);
        try
        {
            Assert.NotNull(await files.ReadClaimedAsync(Cancellation));
            Assert.NotNull(await files.ReadPreparedAsync(Cancellation));
            Assert.NotNull(await files.ReadEndingAsync(Cancellation));
            Assert.NotNull(await files.ReadEndedAsync(Cancellation));
            RunForms.Kind.Read(await files.ReadReportAsync("report.json", Cancellation), DamagedRun.Id);
            await ReportSaver.SaveAsync(store, measured.Ending, Cancellation);
        }
        catch (EvidenceException e)
        {
            return e.Message;
        }

        var report = RunForms.Kind.Read(await files.ReadReportAsync("report.json", Cancellation), DamagedRun.Id);
        var figures = RunForms.Kind.Write(report with { Warnings = measured.Report.Warnings });
        var isSame = figures.AsSpan().SequenceEqual(RunForms.Kind.Write(measured.Report));
        Assert.True(isSame || report.State != RunState.Complete, "The run is complete with other figures.");
        var noticed = report.Warnings.Except(measured.Report.Warnings).ToList();
        return noticed.Count == 0 && isSame ? null : string.Join('\n', noticed);
    }
}
