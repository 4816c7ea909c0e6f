using System.Net.Http.Headers;

namespace ScaleOut.Tests.EndToEnd.Recorded;

/// <summary>What a replayed request was answered, and how that differs from the recording.</summary>
/// <param name="Differences">Text by what differs: <c>status</c>, <c>sub-status</c>, <c>body</c>, <c>charge</c>.</param>
internal sealed record ReplayedRequest(
    RecordedRequest Recorded, IReadOnlyDictionary<string, string> Differences, IReadOnlyDictionary<string, string> Headers);

/// <summary>Sends the requests of the recording to a new account, one after the other, as its client sent them.</summary>
public sealed class RecordedReplay : IAsyncLifetime
{
    public const string FileName = "recorded-account.jsonl";
    public static readonly string[] Aspects = ["status", "sub-status", "body", "charge"];

    private const int MaxUntilThrottled = 100;

    private static readonly Dictionary<string, string> Names = new()
    {
        ["management"] = "databases, containers, ranges, offers, users", ["items"] = "items", ["batches"] = "batches",
        ["queries"] = "queries and feeds", ["plans"] = "query plans", ["scripts"] = "stored procedures, triggers, functions",
    };

    internal IReadOnlyList<ReplayedRequest> Requests { get; private set; } = [];

    internal RecordedLegend Legend { get; private set; } = null!;

    internal static string[] ReadFile() => File.ReadAllLines(Path.Combine(RepositoryFiles.Plans, "published", FileName));

    public async ValueTask InitializeAsync()
    {
        (Legend, var requests) = RecordedRequest.Read(FileName, ReadFile());
        var time = new ManualTime(DateTimeOffset.UtcNow);
        await using var account = await AccountClients.StartAsync(time: time);
        using var wire = new WireClient(account);
        using var http = new HttpClient { BaseAddress = account.HttpEndpoint };
        var replayed = new List<ReplayedRequest>();
        string? continuation = null;
        foreach (var request in requests)
        {
            // The recording left out what used up the budget before this one; everywhere else it had time to recover.
            var isThrottled = request.Status == 429;
            if (!isThrottled)
                time.Advance(TimeSpan.FromSeconds(3));
            var response = await SendAsync(http, wire, request, time, continuation);
            for (var i = 0; i < MaxUntilThrottled && isThrottled && (int)response.StatusCode != request.Status; i++)
            {
                response.Dispose();
                response = await SendAsync(http, wire, request, time, continuation);
            }

            using (response)
            {
                var one = await CompareAsync(request, response);
                continuation = one.Headers.GetValueOrDefault("x-ms-continuation") ?? continuation;
                replayed.Add(one);
            }
        }

        Requests = replayed;
    }

    public ValueTask DisposeAsync() => ValueTask.CompletedTask;

    /// <summary>The share of requests that have an aspect and do not differ in it.</summary>
    internal static double Share(IEnumerable<ReplayedRequest> requests, string aspect)
    {
        ReplayedRequest[] counted = [.. requests.Where(one => Has(one.Recorded, aspect))];
        return counted.Length == 0 ? 1 : counted.Count(one => !one.Differences.ContainsKey(aspect)) / (double)counted.Length;
    }

    /// <summary>The table of the replay by kind: how many requests have an aspect, and of how many it is as recorded.</summary>
    internal string Table()
    {
        string[] columns = ["number", .. Aspects, "headers"];
        var text = new StringBuilder(
            $"| requests | {string.Join(" | ", columns)} |\n|---|{string.Concat(columns.Select(_ => "---:|"))}\n");
        foreach (var kind in Requests.GroupBy(one => one.Recorded.Kind).Append<IEnumerable<ReplayedRequest>>(Requests))
        {
            var name = kind is IGrouping<string, ReplayedRequest> group ? Names[group.Key] : "all";
            text.Append(CultureInfo.InvariantCulture, $"| {name} | {kind.Count()} |");
            foreach (var aspect in Aspects)
            {
                ReplayedRequest[] counted = [.. kind.Where(one => Has(one.Recorded, aspect))];
                text.Append(CultureInfo.InvariantCulture,
                    $" {counted.Count(one => !one.Differences.ContainsKey(aspect))} of {counted.Length} |");
            }

            text.Append(CultureInfo.InvariantCulture, $" {kind.Count(one => MissingHeaders(one).Count == 0)} of {kind.Count()} |\n");
        }

        return text.ToString();
    }

    /// <summary>Headers of the recording that the response should have and has not.</summary>
    internal IReadOnlyList<string> MissingHeaders(ReplayedRequest one) =>
        [.. Legend.HeadersOf(one.Recorded)
            .Where(name => !one.Headers.ContainsKey(name) && !RecordedExceptions.MayLack(one.Recorded, name))];

    private static bool Has(RecordedRequest request, string aspect) =>
        aspect != "body" || (request.Expected ?? request.ExpectedRule ?? request.Error?.Message) is not null;

    private static async Task<HttpResponseMessage> SendAsync(
        HttpClient http, WireClient wire, RecordedRequest recorded, ManualTime time, string? continuation)
    {
        using var request = new HttpRequestMessage(new HttpMethod(recorded.Method), recorded.Path);
        if (recorded.Bytes() is { Length: > 0 } body)
            request.Content = new ByteArrayContent(body);
        // In lower case, as the recording's client wrote dates.
        var date = time.GetUtcNow().ToString("r", CultureInfo.InvariantCulture).ToLowerInvariant();
        if (!recorded.Headers.GetValueOrDefault("_", "").StartsWith("no authorization", StringComparison.Ordinal))
        {
            request.Headers.Add("x-ms-version", "2018-12-31");
            request.Headers.TryAddWithoutValidation("x-ms-date", date);
            request.Headers.TryAddWithoutValidation("authorization", wire.Sign(recorded.Method, recorded.Path, date));
        }

        foreach ((var name, var value) in recorded.Headers.Where(header => header.Key != "_"))
        {
            if (name == "content-type")
                request.Content?.Headers.ContentType = MediaTypeHeaderValue.Parse(value);
            else
                request.Headers.TryAddWithoutValidation(
                    name, value.StartsWith("<continuation", StringComparison.Ordinal) ? continuation : value);
        }

        return await http.SendAsync(request, TestContext.Current.CancellationToken);
    }

    private static async Task<ReplayedRequest> CompareAsync(RecordedRequest recorded, HttpResponseMessage response)
    {
        var headers = response.Headers.Concat(response.Content.Headers)
            .ToDictionary(header => header.Key, header => string.Join(',', header.Value), StringComparer.OrdinalIgnoreCase);
        var body = await response.Content.ReadAsStringAsync(TestContext.Current.CancellationToken);
        var differences = new Dictionary<string, string>();
        Compare("status", $"{recorded.Status}", $"{(int)response.StatusCode}");
        Compare("sub-status", $"{recorded.Substatus}", headers.GetValueOrDefault("x-ms-substatus", "0"));
        Compare("charge", recorded.Charge is { } charge ? Text(charge) : "none",
            headers.TryGetValue("x-ms-request-charge", out var text) ? Text(double.Parse(text, CultureInfo.InvariantCulture)) : "none");
        if (RecordedBodies.Difference(recorded, body, headers.GetValueOrDefault("x-ms-continuation")) is { } difference)
            differences["body"] = difference;
        return new ReplayedRequest(recorded, differences, headers);

        void Compare(string aspect, string expected, string actual)
        {
            if (expected != actual)
                differences[aspect] = $"{actual} instead of {expected}";
        }

        static string Text(double value) => value.ToString("0.00", CultureInfo.InvariantCulture);
    }
}
