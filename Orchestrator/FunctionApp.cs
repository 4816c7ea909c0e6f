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
    /// <remarks>
    /// Settings that are missing or wrong end its start with an <c>OptionsValidationException</c>, which names all of them.
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
