using FsCheck;
using FsCheck.Fluent;

namespace ScaleOut.Tests.Shared.Evidence;

/// <summary>Whatever is done to what a run left, its report does not come out complete with other figures, and the item is named.</summary>
public sealed class AnyDamageTests(MeasuredRun measured) : IClassFixture<MeasuredRun>
{
    private static readonly string[] ReadBesideLegs = ["spec.json", "prepared.json", "ending.json", "ended.json", "report.json"];

    private static CancellationToken Cancellation => TestContext.Current.CancellationToken;

    private List<string> Results =>
        [.. measured.Items.Keys.Where(name => name.EndsWith("/result.json", StringComparison.Ordinal)).Order(StringComparer.Ordinal)];

    [Fact]
    public async Task Judge_NothingIsChanged_IsTheSameReport() =>
        Assert.Null(await NoticedAsync(new Dictionary<string, byte[]>(measured.Items)));

    [Fact]
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
                var items = new Dictionary<string, byte[]>(measured.Items)
                {
                    [name] = change == 0 ? content[..at] : [.. content[..at], (byte)(content[at] ^ change), .. content[(at + 1)..]],
                };
                return NoticedAsync(items).GetAwaiter().GetResult() is { } noticed
                    && noticed.Contains($"{MeasuredRun.Id}/{name}", StringComparison.Ordinal);
            }));
    }

    [Fact]
    public async Task Judge_AnyTwoResultsSwappedOrOneCopiedOverTheOther_IsNoticed()
    {
        var results = Results;
        foreach (var (one, other) in results.SelectMany((one, i) => results.Skip(i + 1).Select(other => (one, other))))
        {
            var swapped = new Dictionary<string, byte[]>(measured.Items) { [one] = measured.Items[other], [other] = measured.Items[one] };
            var copied = new Dictionary<string, byte[]>(measured.Items) { [one] = measured.Items[other] };

            Assert.Contains($"{MeasuredRun.Id}/{one}", await NoticedAsync(swapped), StringComparison.Ordinal);
            Assert.Contains($"{MeasuredRun.Id}/{one}", await NoticedAsync(copied), StringComparison.Ordinal);
        }
    }

    [Fact]
    public async Task Judge_AnyResultDeletedOrCopiedToWhereNoneWas_IsNoticed()
    {
        foreach (var name in Results)
        {
            var deleted = new Dictionary<string, byte[]>(measured.Items);
            deleted.Remove(name);
            var stray = LegNames.Result(LegNames.Read(name)!.Worker, 77);
            var more = new Dictionary<string, byte[]>(measured.Items) { [stray] = measured.Items[name] };

            Assert.Contains($"{MeasuredRun.Id}/{name} is missing", await NoticedAsync(deleted), StringComparison.Ordinal);
            var copied = $"{MeasuredRun.Id}/{stray} is damaged: it is a copy of {MeasuredRun.Id}/{name}";
            Assert.Contains(copied, await NoticedAsync(more), StringComparison.Ordinal);
        }
    }

    [Fact]
    public async Task Judge_ItemsOfTheRunSwapped_IsNoticed()
    {
        foreach (var (one, other) in from one in ReadBesideLegs from other in ReadBesideLegs where one != other select (one, other))
        {
            var items = new Dictionary<string, byte[]>(measured.Items) { [one] = measured.Items[other] };

            var copied = $"{MeasuredRun.Id}/{one} is damaged: it is a copy of {MeasuredRun.Id}/{other}";
            Assert.Contains(copied, await NoticedAsync(items), StringComparison.Ordinal);
        }
    }

    /// <summary>Reads all of it and makes the report again; what was noticed, or null when it is the report that there was.</summary>
    private async Task<string?> NoticedAsync(IReadOnlyDictionary<string, byte[]> items)
    {
        var store = new MemoryRunStore();
        await MeasuredRun.FillAsync(store, items);
        var files = new RunFiles(store, MeasuredRun.Id);
        try
        {
            Assert.NotNull(await files.ReadClaimedAsync(Cancellation));
            Assert.NotNull(await files.ReadPreparedAsync(Cancellation));
            Assert.NotNull(await files.ReadEndingAsync(Cancellation));
            Assert.NotNull(await files.ReadEndedAsync(Cancellation));
            RunForms.Kind.Read(await files.ReadReportAsync("report.json", Cancellation), MeasuredRun.Id);
            await ReportSaver.SaveAsync(store, measured.Ending, Cancellation);
        }
        catch (EvidenceException e)
        {
            return e.Message;
        }

        var report = RunForms.Kind.Read(await files.ReadReportAsync("report.json", Cancellation), MeasuredRun.Id);
        var figures = RunForms.Kind.Write(report with { Warnings = measured.Report.Warnings });
        var isSame = figures.AsSpan().SequenceEqual(RunForms.Kind.Write(measured.Report));
        Assert.True(isSame || report.State != RunState.Complete, "The run is complete with other figures.");
        var noticed = report.Warnings.Except(measured.Report.Warnings).ToList();
        return noticed.Count == 0 && isSame ? null : string.Join('\n', noticed);
    }
}
