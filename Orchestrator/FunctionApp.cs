using Microsoft.Azure.Functions.Worker.Builder;
using ScaleOut.Orchestrator.Http;

namespace ScaleOut.Orchestrator;

/// <summary>The Function App: an isolated worker with the services of its functions.</summary>
internal static class FunctionApp
{
    /// <param name="args">Arguments from the Functions host. They may contain settings as <c>--NAME=value</c>.</param>
    /// <remarks>
    /// If settings are missing or invalid, the start of the app throws an <c>OptionsValidationException</c> that names all of them.
    /// </remarks>
    public static FunctionsApplicationBuilder CreateBuilder(string[] args)
    {
        var builder = FunctionsApplication.CreateBuilder(args);
        builder.ConfigureFunctionsWebApplication();
        builder.UseMiddleware<ApiFunctionMiddleware>();
        builder.Services.AddScaleOut(builder.Configuration);
        return builder;
    }
}
