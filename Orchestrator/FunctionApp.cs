using Microsoft.Azure.Functions.Worker;
using Microsoft.Azure.Functions.Worker.Builder;
using Microsoft.Extensions.Hosting;
using ScaleOut.Orchestrator.Http;

namespace ScaleOut.Orchestrator;

/// <summary>The Function App: an isolated worker with all that its functions need.</summary>
internal static class FunctionApp
{
    /// <summary>The app before it is built.</summary>
    /// <param name="args">What the Functions host starts the worker with; settings may stand among them as <c>--NAME=value</c>.</param>
    /// <exception cref="InvalidOperationException">Settings are missing or wrong; the message names all of them.</exception>
    public static FunctionsApplicationBuilder CreateBuilder(string[] args)
    {
        var builder = FunctionsApplication.CreateBuilder(args);
        builder.ConfigureFunctionsWebApplication();
        builder.UseMiddleware<ApiFunctionMiddleware>();
        builder.Services.AddScaleOut(builder.Configuration);
        return builder;
    }
}
