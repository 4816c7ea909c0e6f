using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Hosting;
using Microsoft.AspNetCore.Routing;
using Microsoft.Extensions.DependencyInjection;
using ScaleOut.Api;
using ScaleOut.Api.Responses;
using ScaleOut.Sizing;

namespace ScaleOut.Tests.Contracts;

/// <summary>Routes, statuses and fields of the HTTP interface, in <c>docs/contracts/http.txt</c>.</summary>
public sealed partial class HttpContractTests
{
    private static readonly (string Heading, Type Type)[] Responses =
    [
        ("start and resume", typeof(StartedJob)), ("stop", typeof(Stopping)),
        ("status of a run", typeof(RunStatusResponse)), ("status of an experiment", typeof(ExperimentStatusResponse)),
        ("list of runs", typeof(RunList)), ("list of experiments", typeof(ExperimentList)), ("answer of size", typeof(SizeResponse)),
    ];

    /// <summary>
    /// The statuses of a route are those that its handler can return: those of the methods of <see cref="Problems"/> that it can reach.
    /// </summary>
    [Fact]
    public async Task Interface_RoutesStatusesAndFields_AreThoseOfTheContract()
    {
        var functions = FunctionRoutes();
        await using var application = Application();
        using var handlers = new HandlerStatuses();
        var routes = EndpointsOf(application).OrderBy(RouteOf, StringComparer.Ordinal).ThenBy(MethodsOf, StringComparer.Ordinal)
            .Select(endpoint => (Endpoint: endpoint, Statuses: handlers.Of(endpoint.Metadata.GetRequiredMetadata<MethodInfo>())))
            .ToList();

        Contract.AssertIs(
            "http.txt",
            [
                "# routes",
                .. routes.Select(route => $"{MethodsOf(route.Endpoint)} /{RouteOf(route.Endpoint)}: {string.Join("; ", route.Statuses)}"
                    + (functions.Contains(RouteOf(route.Endpoint)) ? "" : " (devbox serve only)")),
                "", "# any route", .. HandlerStatuses.All().Except(routes.SelectMany(route => route.Statuses)),
                .. Responses.SelectMany(
                    response => JsonFields.Of(response.Type, ListedElsewhere).Prepend($"# {response.Heading}").Prepend("")),
            ],
            nameof(HttpContractTests));
    }

    /// <summary>The Function App declares each route for itself.</summary>
    [Fact]
    public async Task FunctionApp_Routes_AreThoseOfTheInterface()
    {
        await using var application = Application();

        var routes = EndpointsOf(application).Select(RouteOf).Where(route => !route.Contains(SizeHandlers.Route, StringComparison.Ordinal));

        Assert.Equal(routes.ToHashSet().Order(StringComparer.Ordinal), FunctionRoutes().Order(StringComparer.Ordinal));
    }

    private static string? ListedElsewhere(Type type) =>
        type == typeof(SizeResult) ? "object as in reports.txt" : ReportContractTests.SpecPart(type);

    /// <summary>The interface on a server that is never started.</summary>
    private static WebApplication Application()
    {
        var builder = WebApplication.CreateEmptyBuilder(new WebApplicationOptions());
        builder.WebHost.UseKestrelCore();
        builder.Services.AddLogging().AddRoutingCore().AddScaleOutApi()
            .AddSingleton<IRunHost>(_ => throw new InvalidOperationException())
            .AddSingleton<IExperimentHost>(_ => throw new InvalidOperationException());
        var application = builder.Build();
        application.MapScaleOutApi();
        application.MapSize();
        return application;
    }

    private static IEnumerable<RouteEndpoint> EndpointsOf(IEndpointRouteBuilder application) =>
        application.DataSources.SelectMany(source => source.Endpoints).Cast<RouteEndpoint>();

    private static string RouteOf(RouteEndpoint endpoint) => endpoint.RoutePattern.RawText!.Trim('/');

    private static string MethodsOf(RouteEndpoint endpoint) =>
        string.Join(' ', endpoint.Metadata.GetRequiredMetadata<HttpMethodMetadata>().HttpMethods);

    private static HashSet<string> FunctionRoutes() =>
    [
        .. Directory.GetFiles(Path.Combine(RepositoryFiles.Root, "Orchestrator", "Http"), "*.cs")
            .SelectMany(path => Route().Matches(File.ReadAllText(path)))
            .Select(match => $"{ApiRoutes.Prefix}/{typeof(ApiRoutes).GetField(match.Groups["name"].Value)!.GetRawConstantValue()}"),
    ];

    [GeneratedRegex(@"\bRoute = ApiRoutes\.(?<name>\w+)\)")]
    private static partial Regex Route();
}
