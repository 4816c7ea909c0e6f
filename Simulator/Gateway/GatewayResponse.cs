using System.IO.Pipelines;
using System.Reflection;

namespace ScaleOut.Simulator.Gateway;

internal static class GatewayResponse
{
    internal const string ActivityId = "x-ms-activity-id";
    private const string PartitionKeyRangeId = "x-ms-documentdb-partitionkeyrangeid";
    private const string PhysicalPartitionId = "x-ms-cosmos-physical-partition-id";
    private const string CommittedLsn = "x-ms-global-committed-lsn";
    private const string Duration = "x-ms-request-duration-ms";
    private static readonly (string Name, StringValues Value)[] Versions =
        [("x-ms-gatewayversion", "version=2.14.0"), ("x-ms-serviceversion", "version=2.14.0.0")];

    /// <summary>The header by which every response says that the account is a simulated one.</summary>
    internal const string SimulatedAccountHeader = "x-ms-simulated-account";
    private const int MaxCachedCharges = 4_096;

    /// <summary>The partition that holds databases and containers.</summary>
    private const string MasterPartition = "0";

    private static readonly string?[] ChargeTexts = new string?[MaxCachedCharges];

    /// <summary>The program and its version.</summary>
    internal static string SimulatedAccountName { get; } =
        $"ScaleOut/{typeof(GatewayResponse).Assembly.GetCustomAttribute<AssemblyInformationalVersionAttribute>()?.InformationalVersion}";

    public static ValueTask WriteAsync(IFeatureCollection features, AccountResponse response)
    {
        if (response.ClosesConnection)
        {
            features.GetRequiredFeature<IHttpRequestLifetimeFeature>().Abort();
            return ValueTask.CompletedTask;
        }

        var http = features.GetRequiredFeature<IHttpResponseFeature>();
        http.StatusCode = response.Status;
        var headers = http.Headers;
        headers[SimulatedAccountHeader] = SimulatedAccountName;
        headers[ActivityId] = response.ActivityId;
        foreach ((var name, var value) in Versions)
            headers[name] = value;
        WriteHeaders(headers, response);
        if (response.Status is ServiceStatus.NoContent or ServiceStatus.NotModified)
            return ValueTask.CompletedTask;
        var body = response.Output.WrittenMemory;
        headers.ContentLength = body.Length;
        // Without a body, the server sends the headers together with the end of the response.
        if (body.IsEmpty)
            return ValueTask.CompletedTask;
        headers.ContentType = response.ContentType;
        var written = features.GetRequiredFeature<IHttpResponseBodyFeature>().Writer.WriteAsync(body);
        return written.IsCompletedSuccessfully ? ValueTask.CompletedTask : Await(written);

        static async ValueTask Await(ValueTask<FlushResult> written) => await written;
    }

    private static void WriteHeaders(IHeaderDictionary headers, AccountResponse response)
    {
        if (response.SubStatus != 0)
            headers[ResponseFields.SubStatus.Header] = Text(response.SubStatus);
        // What the gateway refused or answered by itself has no headers about a container.
        if (response.Charge is null && (response.Container is null || response.Status >= ServiceStatus.BadRequest))
            return;
        if (response.Charge is { } charge)
            headers[ResponseFields.Charge.Header] = Text(charge);
        headers[Duration] = response.ServiceMs.ToString("F3", CultureInfo.InvariantCulture);
        if (response.Container is { } container)
        {
            headers[ResponseFields.OwnerName.Header] = response.IsAboutContainer ? container.EscapedOwner : container.EscapedLink;
            if (response.ShowsContainerRid)
                headers[ResponseFields.OwnerRid.Header] = response.IsAboutContainer ? container.Database.Rid : container.Rid;
        }

        var id = response.Named?.Id ?? MasterPartition;
        var lsn = Text(response.Lsn);
        headers[ResponseFields.Lsn.Header] = lsn;
        headers[CommittedLsn] = lsn;
        headers[PhysicalPartitionId] = id;
        // A throttled request has not reached the data, of which a session token tells.
        if (response.Status != ServiceStatus.TooManyRequests)
            headers[ResponseFields.SessionToken.Header] = SessionTokens.Write(id, lsn);
        if (response.Container is not null)
            headers[PartitionKeyRangeId] = id;
        if (response.Usage is { } usage)
        {
            headers[ResponseFields.Quota.Header] = StorageLimits.Quota;
            headers[ResponseFields.Usage.Header] = usage;
        }

        if (response.RetryAfterMs > 0)
            headers[ResponseFields.RetryAfterMs.Header] = Text(response.RetryAfterMs);
        if (response.Version > 0)
            headers.ETag = DocumentEtag.Quoted(response.Container!.Number, response.Version);
        else if (response.Etag is not null)
            headers.ETag = response.Etag;
        if (response.ItemCount is { } items)
            headers[ResponseFields.ItemCount.Header] = Text(items);
        if (response.Continuation is not null)
            headers[ResponseFields.Continuation.Header] = response.Continuation;
        if (response.QueryMetrics is not null)
            headers[ResponseFields.QueryMetrics.Header] = response.QueryMetrics;
        if (response.IndexMetrics is not null)
            headers[ResponseFields.IndexMetrics.Header] = response.IndexMetrics;
        if (response.ScriptLog is not null)
            headers[ResponseFields.ScriptLog.Header] = response.ScriptLog;
        foreach ((var name, var value) in response.MetadataHeaders)
            headers[name] = value;
    }

    private static string Text(long number) => number.ToString(CultureInfo.InvariantCulture);

    private static string Text(RequestUnits charge) => charge.Hundredths < MaxCachedCharges
        ? ChargeTexts[charge.Hundredths] ??= charge.Value.ToString(CultureInfo.InvariantCulture)
        : charge.Value.ToString(CultureInfo.InvariantCulture);
}
