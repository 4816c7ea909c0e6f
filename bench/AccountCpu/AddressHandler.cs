using System.Text.RegularExpressions;

namespace ScaleOut.Bench.AccountCpu;

/// <summary>Records the replica addresses that a Direct client receives, and replaces their ports.</summary>
public sealed partial class AddressHandler(HttpMessageHandler inner) : DelegatingHandler(inner)
{
    /// <summary>The port to report for each of the account's ports. If empty, the account's ports are left as they are.</summary>
    public IReadOnlyDictionary<int, int> Ports { get; set; } = new Dictionary<int, int>();

    /// <summary>The account's ports that were reported.</summary>
    public SortedSet<int> Seen { get; } = [];

    protected override async Task<HttpResponseMessage> SendAsync(HttpRequestMessage request, CancellationToken cancellationToken)
    {
        var response = await base.SendAsync(request, cancellationToken);
        if (!request.RequestUri!.AbsolutePath.EndsWith("/addresses/", StringComparison.Ordinal) || !response.IsSuccessStatusCode)
            return response;

        var reported = Address().Replace(await response.Content.ReadAsStringAsync(cancellationToken), match =>
        {
            var port = int.Parse(match.Groups[2].ValueSpan, CultureInfo.InvariantCulture);
            lock (Seen)
                Seen.Add(port);
            return match.Groups[1].Value + Ports.GetValueOrDefault(port, port).ToString(CultureInfo.InvariantCulture);
        });
        var type = response.Content.Headers.ContentType;
        response.Content = new StringContent(reported) { Headers = { ContentType = type } };
        return response;
    }

    [GeneratedRegex(@"(rntbd:\\?/\\?/[^:/]+:)(\d+)")]
    private static partial Regex Address();
}
