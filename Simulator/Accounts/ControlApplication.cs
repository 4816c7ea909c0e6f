using System.Text.Json;
using Microsoft.AspNetCore.Hosting.Server;
using Microsoft.AspNetCore.Http.Features;
using ScaleOut.Json;

namespace ScaleOut.Simulator.Accounts;

/// <summary>
/// The control endpoint: <c>GET {prefix}books</c> and <c>POST {prefix}shutdown</c>. The prefix is random, so that only who was told the endpoint can end the account.
/// </summary>
internal sealed class ControlApplication(string prefix, AccountServices account, Action shutdown) : IHttpApplication<IFeatureCollection>
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
            case ("GET", var path) when path == prefix + "books":
                response.Headers.ContentType = "application/json";
                await JsonSerializer.SerializeAsync(body.Writer, account.ReadBooks(), ScaleOutJson.Compact).ConfigureAwait(false);
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
}
