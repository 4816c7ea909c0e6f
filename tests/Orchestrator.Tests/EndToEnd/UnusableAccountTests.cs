namespace ScaleOut.Orchestrator.Tests.EndToEnd;

/// <summary>Runs.</summary>
public sealed class UnusableAccountTests : UnusableAccount
{
    /// <summary>The run has finished a leg, in a named container or in its own, or it could not start at all.</summary>
    [Theory(Timeout = FunctionsHost.MaxTestMs)]
    [InlineData("named", "that this run wrote to is gone", 404, "/colls/books")]
    [InlineData("own", "that this run wrote to is gone", 404, "/colls/run-single")]
    [InlineData("none", "could not be created", 403, "/colls")]
    public async Task Run_ResumedWhereTheAccountCannotBeUsed_StaysAsItWasAndCompletesAtLast(
        string container, string reasonOfContainer, int status, string at)
    {
        if (container == "named")
            await CreateAsync("shop", "books");
        await BeginRunAsync(container);
        var (kept, there) = (await KeptAsync(Single), Containers());
        var attempt = 1;
        var ways = Unusable(container: "").Append((reasonOfContainer, () => Shut(new("", status, At: at))));
        foreach (var (reason, use) in ways)
        {
            use();
            var failed = await ResumeRunAsync(++attempt);

            Assert.Equal((RunState.Failed, container != "none"), (failed.State, failed.NothingChanged));
            Assert.Contains(reason, string.Join('\n', failed.Reasons), StringComparison.Ordinal);
            Assert.Equal(kept, await KeptAsync(Single));
            Assert.Equal(there, Containers());
        }

        (_way, _shut) = (_good, null);
        var outcome = await ResumeRunAsync(++attempt);

        Assert.Equal((RunState.Complete, 900L, 900L), (outcome.State, outcome.Counts.Inserted, outcome.Verified));
        Assert.Equal(900, _account.ReadLedger().Documents.Created);
        Assert.All(_account.ReadLedger().Containers, one => Assert.True(one.Deleted || one.Name == "books", one.Name));
    }

    /// <summary>The run has finished a leg or died before its first one. Then it loses the right to write documents.</summary>
    [Theory(Timeout = FunctionsHost.MaxTestMs, Explicit = true)]
    [Trait("Duration", "Long")]
    [InlineData(true)]
    [InlineData(false)]
    public async Task Run_ResumedWhereNoDocumentCanBeWritten_StaysAsItWasAndCompletesAtLast(bool hasLeg)
    {
        await BeginRunAsync("own");
        if (!hasLeg)
            await _store.DeleteAsync(Single, name => name == LegNames.Result(0, 1), Cancellation);
        var (kept, there) = (await KeptAsync(Single), Containers());
        for (var attempt = 2; attempt <= 4; attempt++)
        {
            Shut(new("", 403, SubStatus: 5300, Text: "no action", At: "/docs"));
            _way = _good;
            var failed = await ResumeRunAsync(attempt);

            Assert.Equal((RunState.Failed, true), (failed.State, failed.NothingChanged));
            Assert.Contains("403", Assert.Single(failed.Reasons), StringComparison.Ordinal);
            var now = await KeptAsync(Single);
            Assert.All(kept, item => Assert.Equal(item.Value, now[item.Key]));
            Assert.Equal(there, Containers());
        }

        _shut = null;
        var outcome = await ResumeRunAsync(5);

        Assert.Equal((RunState.Complete, 900L, 900L), (outcome.State, outcome.Counts.Done, outcome.Verified));
        Assert.Equal(900, _account.ReadLedger().Documents.Created);
        Assert.All(_account.ReadLedger().Containers, one => Assert.True(one.Deleted, one.Name));
    }

    /// <summary>A role was assigned moments ago. The run reports that it waits, and goes on when the role holds.</summary>
    [Fact(Timeout = FunctionsHost.MaxTestMs)]
    public async Task Run_RoleThatDoesNotHoldYet_IsWaitedFor()
    {
        Shut(new("", 403, SubStatus: 5301, Text: "no action"));
        var spec = new RunSpec
        {
            Id = Single,
            Documents = 100,
            Workers = 1,
            Client = new ClientSpec { ConnectionMode = ConnectionMode.Gateway },
            Container = new() { Throughput = 4_000 },
        };
        await _host.SendAsync(HttpMethod.Post, "/api/runs", JsonSerializer.Serialize(spec, ScaleOutJson.Compact));
        while (true)
        {
            var (_, status) = await _host.SendAsync(HttpMethod.Get, $"/api/runs/{Single}");
            if ((string?)JsonNode.Parse(status)!["phase"] == "waitingForRoles")
                break;
            await Task.Delay(20, Cancellation);
        }

        (_way, _shut) = (_good, null);
        var ended = await _host.EndOfAsync(Single);
        var outcome = JsonSerializer.Deserialize<RunOutcome>(ended.SerializedOutput!, ScaleOutJson.Compact)!;

        Assert.Equal((RunState.Complete, 100L), (outcome.State, outcome.Counts.Inserted));
    }
}
