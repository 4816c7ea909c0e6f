using System.Globalization;
using System.Text;
using System.Text.Json;
using Microsoft.AspNetCore.Hosting.Server;
using Microsoft.AspNetCore.Http.Features;
using Microsoft.AspNetCore.WebUtilities;
using Microsoft.Extensions.Primitives;
using ScaleOut.Json;
using ScaleOut.Simulator.Engine;
using ScaleOut.Simulator.Engine.Operations;
using ScaleOut.Simulator.Engine.Resources;

namespace ScaleOut.Simulator.Accounts;

/// <summary>
/// The control endpoint: <c>GET {prefix}ledger</c>, <c>POST {prefix}split?database=...&amp;container=...&amp;partition=n</c> and <c>POST {prefix}shutdown</c>.
/// The prefix is random, so that only who was told the endpoint can end the account.
/// </summary>
internal sealed class ControlApplication(string prefix, AccountEngine account, Action shutdown) : IHttpApplication<IFeatureCollection>
{
    public IFeatureCollection CreateContext(IFeatureCollection contextFeatures) => contextFeatures;

    public void DisposeContext(IFeatureCollection context, Exception? exception)
    {
    }

    public async Task ProcessRequestAsync(IFeatureCollection context)
    {
        IHttpRequestFeature request = context.GetRequiredFeature<IHttpRequestFeature>();
        IHttpResponseFeature response = context.GetRequiredFeature<IHttpResponseFeature>();
        IHttpResponseBodyFeature body = context.GetRequiredFeature<IHttpResponseBodyFeature>();
        switch (request.Method, request.Path)
        {
            case ("GET", var path) when path == prefix + "ledger":
                response.Headers.ContentType = "application/json";
                await JsonSerializer.SerializeAsync(body.Writer, account.ReadLedger(), ScaleOutJson.Compact).ConfigureAwait(false);
                break;
            case ("POST", var path) when path == prefix + "split":
                (response.StatusCode, string text) = Split(request.QueryString);
                await body.Writer.WriteAsync(Encoding.UTF8.GetBytes(text)).ConfigureAwait(false);
                break;
            case ("POST", var path) when path == prefix + "shutdown":
                response.StatusCode = 202;
                await body.CompleteAsync().ConfigureAwait(false);
                shutdown();
                break;
            default:
                response.StatusCode = 404;
                break;
        }
    }

    /// <summary>Splits a partition and waits until it is done.</summary>
    private (int Status, string Text) Split(string query)
    {
        Dictionary<string, StringValues> parameters = QueryHelpers.ParseQuery(query);
        if (!int.TryParse(parameters.GetValueOrDefault("partition"), NumberStyles.None, CultureInfo.InvariantCulture, out int partition))
            return (400, "partition must be the ordinal of a physical partition");
        string database = parameters.GetValueOrDefault("database").ToString();
        string name = parameters.GetValueOrDefault("container").ToString();
        if (!account.Catalog.TryFindDatabase(database, out DatabaseResource? parent) || !ResourceCatalog.TryFindContainer(parent, name, out ContainerResource? container))
            return (404, $"there is no container {database}/{name}");
        try
        {
            container.Split(partition);
            return (200, $"partition {partition} of {database}/{name} is split");
        }
        catch (RequestException e)
        {
            return (e.Status, e.Message);
        }
    }
}
