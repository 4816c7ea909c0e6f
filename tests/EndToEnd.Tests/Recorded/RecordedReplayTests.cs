namespace ScaleOut.Tests.EndToEnd.Recorded;

/// <summary>
/// The requests of a hosted account that was recorded in public (plans/published/recorded-account.jsonl), replayed against a simulated one.
/// </summary>
public sealed class RecordedReplayTests(RecordedReplay replay, ITestOutputHelper output) : IClassFixture<RecordedReplay>
{
    private const int MaxShown = 600;

    [Fact]
    public void Replay_OfTheRecording_DiffersOnlyWhereAReasonIsListed()
    {
        output.WriteLine(replay.Table());
        var actual = replay.Requests.SelectMany(one => one.Differences.Keys.Select(aspect => $"{one.Recorded.N} {aspect}")).ToHashSet();
        var listed = RecordedExceptions.All.SelectMany(one => one.Requests.SelectMany(n => one.Aspects.Select(aspect => $"{n} {aspect}")))
            .ToHashSet();
        foreach (var one in replay.Requests)
        {
            foreach ((var aspect, var difference) in one.Differences)
            {
                var shown = difference[..Math.Min(MaxShown, difference.Length)];
                output.WriteLine($"{one.Recorded.N} {one.Recorded.Method} {one.Recorded.Path} {aspect}: {shown}");
            }
        }

        Assert.Empty(actual.Except(listed));
        // An exception that no longer is one would hide the next fault.
        Assert.Empty(listed.Except(actual));
    }

    [Fact]
    public void Headers_OfTheRecording_AreThereIfToolsReadThem()
    {
        var missing = replay.Requests.Where(one => !one.Differences.ContainsKey("status"))
            .SelectMany(one => replay.MissingHeaders(one).Select(name => $"{one.Recorded.N} {one.Recorded.Path}: {name}"));
        Assert.Empty(missing);
    }

    /// <summary>The page has today's figures, so that none of them gets worse unseen.</summary>
    [Fact]
    public void Page_Table_IsThatOfTheReplay() => GeneratedText.AssertIs(
        "docs/simulated-account.md", replay.Table(), "SCALEOUT_REWRITE_CHARGES", nameof(RecordedReplayTests), "<!-- begin: replay -->\n",
        "<!-- end: replay -->");

    /// <summary>65 of the 67 charges of point operations, 184 of 185 statuses, 154 of 160 bodies.</summary>
    [Fact]
    public void Replay_OfTheRecording_IsMostlyAsRecorded()
    {
        Assert.InRange(replay.Requests.Count, 180, int.MaxValue);
        Assert.InRange(RecordedReplay.Share(replay.Requests, "status"), 184.0 / 185, 1);
        Assert.InRange(RecordedReplay.Share(replay.Requests, "body"), 154.0 / 160, 1);
        var ofItems = replay.Requests.Where(one => one.Recorded.Kind is "items" or "batches");
        Assert.InRange(RecordedReplay.Share(ofItems, "charge"), 65.0 / 67, 1);
    }
}

public sealed class RecordedRequestTests
{
    private const string Whole = """{"n":1,"method":"GET","path":"/","headers":{},"status":200,"substatus":0,"charge":null""";

    [Theory]
    [InlineData("{\"n\":1", "line 2")]
    [InlineData("{\"n\":1,\"method\":\"GET\"}", "line 2")]
    [InlineData(Whole + ",\"colour\":1}", "colour")]
    [InlineData(Whole + ",\"header_sets\":\"Y\"}", "'Y'")]
    public void Read_DamagedLine_NamesTheLine(string line, string part)
    {
        var legend = RecordedReplay.ReadFile()[0];
        var e = Assert.Throws<InvalidDataException>(() => RecordedRequest.Read(RecordedReplay.FileName, [legend, line]));
        Assert.StartsWith("recorded-account.jsonl, line 2: ", e.Message, StringComparison.Ordinal);
        Assert.Contains(part, e.Message, StringComparison.Ordinal);
    }
}
