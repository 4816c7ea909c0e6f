using System.Text;
using System.Text.Json.Nodes;
using ScaleOut.Costs;
using ScaleOut.Http;
using ScaleOut.Sizing;
using ScaleOut.Specs;
using ScaleOut.Storage;
using ScaleOut.Tests.Storage;

namespace ScaleOut.Tests.Http;

/// <summary>What a client cannot bring about from outside.</summary>
public class HttpInterfaceTests
{
    private const string Secret = "AccountEndpoint=https://x/;AccountKey=c2VjcmV0";

    private readonly MemoryRunStore _store = new();
    private readonly List<Exception> _errors = [];

    private static CancellationToken Cancellation => TestContext.Current.CancellationToken;

    [Fact]
    public async Task Post_HostBreaks_SaysNothingOfTheCauseAndTheRunHasFailed()
    {
        var target = Interface(new ScriptedHost(_store) { Broken = new InvalidOperationException(Secret) });

        var answer = await target.HandleAsync(Post("""{"id":"broken","documents":10,"workers":1}"""), Cancellation);

        Assert.Equal(500, answer.Status);
        Assert.DoesNotContain("AccountKey", Text(answer), StringComparison.Ordinal);
        Assert.Equal(Secret, Assert.Single(_errors).Message);
        var status = JsonNode.Parse(Text(await target.HandleAsync(Get("api/runs/broken"), Cancellation)))!;
        Assert.Equal("failed", (string?)status["state"]);
        var report = await target.HandleAsync(Get("api/runs/broken/report"), Cancellation);
        Assert.Equal((409, false), (report.Status, report.Headers.ContainsKey("Retry-After")));
    }

    [Fact]
    public async Task Post_ExperimentHostBreaks_SaysNothingOfTheCauseAndTheExperimentHasFailed()
    {
        var broken = new ScriptedExperimentHost(_store) { Broken = new InvalidOperationException(Secret) };
        var target = new HttpInterface(new ScriptedHost(_store), _store, new MemoryRunCatalog(), onError: _errors.Add, experiments: broken);
        var call = Post("""{"id":"broken","base":{"documents":100,"workers":1},"variants":[{"name":"a"},{"name":"b"}]}""") with { Path = "api/experiments" };

        var answer = await target.HandleAsync(call, Cancellation);

        Assert.Equal(500, answer.Status);
        Assert.DoesNotContain("AccountKey", Text(answer), StringComparison.Ordinal);
        Assert.Equal(Secret, Assert.Single(_errors).Message);
        var status = JsonNode.Parse(Text(await target.HandleAsync(Get("api/experiments/broken"), Cancellation)))!;
        Assert.Equal("failed", (string?)status["state"]);
        Assert.Contains("could not be started", (string?)status["reasons"]![0], StringComparison.Ordinal);
        var report = await target.HandleAsync(Get("api/experiments/broken/report"), Cancellation);
        Assert.Equal((409, false), (report.Status, report.Headers.ContainsKey("Retry-After")));
    }

    [Fact]
    public async Task Get_StoreBreaks_IsAnErrorWithoutItsText()
    {
        await _store.WriteAsync("torn", "spec.json", "{"u8.ToArray(), Cancellation);

        var answer = await Interface(new ScriptedHost(_store)).HandleAsync(Get("api/runs/torn"), Cancellation);

        Assert.Equal(500, answer.Status);
        Assert.StartsWith("application/problem+json", answer.ContentType, StringComparison.Ordinal);
        Assert.Single(_errors);
    }

    [Fact]
    public async Task Get_RunThatNobodyRuns_IsInterrupted()
    {
        await new RunFiles(_store, "left").TryClaimAsync(new RunSpec { Id = "left" }, Cancellation);

        var answer = await Interface(new ScriptedHost(_store)).HandleAsync(Get("api/runs/left"), Cancellation);

        Assert.Equal("interrupted", (string?)JsonNode.Parse(Text(answer))!["state"]);
    }

    [Fact]
    public async Task Post_Limits_AreFaultsBesideAllOthers()
    {
        var rules = new HostRules { RequestUnitsPerSecond = new SettingLimit("MAX_RUS", 20_000), Workers = new SettingLimit("MAX_WORKERS", 2) };
        var target = Interface(new ScriptedHost(_store) { Rules = rules });

        var answer = await target.HandleAsync(Post("""{"documents":0,"workers":3}"""), Cancellation);

        Assert.Equal(400, answer.Status);
        var errors = JsonNode.Parse(Text(answer))!["errors"]!.AsObject();
        Assert.Equal(["container.throughput", "documents", "workers"], errors.Select(error => error.Key).Order(StringComparer.Ordinal));
    }

    [Fact]
    public async Task Post_RulesOfTheHost_AreInTheClaimedSpec()
    {
        var target = Interface(new ScriptedHost(_store) { Rules = new HostRules { LegDuration = TimeSpan.FromMinutes(5) } });

        await target.HandleAsync(Post("""{"id":"long-legs","documents":10,"workers":1}"""), Cancellation);
        await target.HandleAsync(Post("""{"id":"short-legs","documents":10,"workers":1,"legDuration":"00:00:10"}"""), Cancellation);

        Assert.Equal(TimeSpan.FromMinutes(5), (await ClaimedAsync("long-legs")).LegDuration);
        Assert.NotNull((await ClaimedAsync("long-legs")).Simulation);
        Assert.Equal(TimeSpan.FromSeconds(10), (await ClaimedAsync("short-legs")).LegDuration);
    }

    [Fact]
    public async Task Post_OtherAccount_TakesNoSimulation()
    {
        var target = Interface(new ScriptedHost(_store) { Rules = new HostRules { Target = RunTarget.OtherAccount } });

        var refused = await target.HandleAsync(Post("""{"documents":10,"workers":1,"simulation":{}}"""), Cancellation);
        await target.HandleAsync(Post("""{"id":"real","documents":10,"workers":1}"""), Cancellation);

        Assert.Equal(400, refused.Status);
        Assert.Null((await ClaimedAsync("real")).Simulation);
    }

    [Theory]
    [InlineData(RunTarget.OtherAccount, true, 1.0)]
    [InlineData(RunTarget.OtherAccount, false, null)]
    [InlineData(RunTarget.SimulatedAccount, true, null)]
    public async Task Post_Prices_MakeACostOfWhatIsBilled(RunTarget target, bool prices, double? expected)
    {
        var list = new PriceList { Currency = "EUR", RequestUnitPerSecondHour = 0.001, GigabyteSecond = 0 };
        var host = new ScriptedHost(_store) { Rules = new HostRules { Target = target, Simulated = target == RunTarget.SimulatedAccount, Prices = prices ? list : null } };

        var answer = await Interface(host).HandleAsync(Post("""{"documents":1000,"workers":1,"container":{"throughput":1000}}"""), Cancellation);

        var cost = JsonNode.Parse(Text(answer))!["estimate"]!.AsObject()["cost"];
        Assert.Equal(expected, (double?)cost?["amount"]);
        Assert.Equal(expected is null ? null : "EUR", (string?)cost?["currency"]);
    }

    [Fact]
    public async Task Post_ExperimentOverALimit_NamesTheVariant()
    {
        var rules = new HostRules { Workers = new SettingLimit("MAX_WORKERS", 2) };
        var target = new HttpInterface(new ScriptedHost(_store) { Rules = rules }, _store, new MemoryRunCatalog(), experiments: new ScriptedExperimentHost(_store));
        var call = Post("""{"base":{"documents":100,"workers":1},"variants":[{"name":"a"},{"name":"b","change":{"workers":3}}]}""") with { Path = "api/experiments" };

        var answer = await target.HandleAsync(call, Cancellation);

        Assert.Equal(400, answer.Status);
        Assert.Equal(["variants[1].change.workers"], JsonNode.Parse(Text(answer))!["errors"]!.AsObject().Select(error => error.Key));
    }

    [Fact]
    public async Task Handle_CallerGivesUp_Throws()
    {
        using var givenUp = new CancellationTokenSource();
        await givenUp.CancelAsync();
        var call = Post("{}") with { Body = new StuckStream() };

        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => Interface(new ScriptedHost(_store)).HandleAsync(call, givenUp.Token));
        Assert.Empty(_errors);
    }

    private static string Text(HttpAnswer answer) => Encoding.UTF8.GetString(answer.Body.Span);

    private static HttpCall Get(string path) => new() { Method = "GET", Path = path, BaseUri = InterfaceHandler.Base };

    private static HttpCall Post(string body) =>
        new() { Method = "POST", Path = "/api/runs", BaseUri = InterfaceHandler.Base, ContentType = "application/json", Body = new MemoryStream(Encoding.UTF8.GetBytes(body)) };

    private HttpInterface Interface(ScriptedHost host) => new(host, _store, new MemoryRunCatalog(), onError: _errors.Add);

    private async Task<RunSpec> ClaimedAsync(string id) =>
        RunSpecReader.Read(Encoding.UTF8.GetString((await new RunFiles(_store, id).ReadSpecAsync(Cancellation))!)).Spec!;

    private sealed class StuckStream : MemoryStream
    {
        public override async ValueTask<int> ReadAsync(Memory<byte> buffer, CancellationToken cancellationToken = default)
        {
            await Task.Delay(Timeout.Infinite, cancellationToken);
            return 0;
        }
    }
}
