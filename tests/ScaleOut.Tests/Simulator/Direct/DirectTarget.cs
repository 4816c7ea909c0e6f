using Microsoft.Azure.Cosmos;

namespace ScaleOut.Tests.Simulator.Direct;

/// <summary>Where the primary of a container's first partition is, and what a request to it needs.</summary>
internal sealed record DirectTarget(int Port, string ReplicaPath, string Database, string Container, string Key)
{
    public static async Task<DirectTarget> FindAsync(SimulatedAccount account, Container container)
    {
        ContainerProperties properties = await container.ReadContainerAsync(cancellationToken: TestContext.Current.CancellationToken);
        using var http = new HttpClient();
        string rid = properties.SelfLink.Split('/')[3];
        string feed = Uri.EscapeDataString($"dbs/{properties.SelfLink.Split('/')[1]}/colls/{rid}/docs");
        using var request = new HttpRequestMessage(
            HttpMethod.Get, $"{account.HttpEndpoint}/addresses/?$resolveFor={feed}&$filter=protocol%20eq%20rntbd&$partitionKeyRangeIds=0");
        string date = DateTime.UtcNow.ToString("r", CultureInfo.InvariantCulture);
        byte[] signature = HMACSHA256.HashData(
            Convert.FromBase64String(account.Key),
            Encoding.UTF8.GetBytes($"get\ndocs\n{rid.ToLowerInvariant()}\n{date.ToLowerInvariant()}\n\n"));
        request.Headers.Add("x-ms-date", date);
        request.Headers.TryAddWithoutValidation(
            "authorization", Uri.EscapeDataString($"type=master&ver=1.0&sig={Convert.ToBase64String(signature)}"));
        using HttpResponseMessage response = await http.SendAsync(request, TestContext.Current.CancellationToken);
        using JsonDocument addresses = JsonDocument.Parse(
            await response.EnsureSuccessStatusCode().Content.ReadAsStringAsync(TestContext.Current.CancellationToken));
        JsonElement primary = addresses.RootElement.GetProperty("Addresss").EnumerateArray().Single(
            address => address.GetProperty("isPrimary").GetBoolean());
        var uri = new Uri(primary.GetProperty("physcialUri").GetString()!);
        return new DirectTarget(uri.Port, uri.AbsolutePath, container.Database.Id, container.Id, account.Key);
    }
}
