using Microsoft.AspNetCore.StaticFiles;
using Microsoft.Extensions.FileProviders;

namespace ScaleOut.DevBox.Dashboard;

/// <summary>
/// The page's files, which are part of the program. The page uses the HTTP interface only, and loads no file from elsewhere.
/// </summary>
internal static class DashboardPage
{
    /// <summary>
    /// Allows scripts, styles, connections and frames of this server only, and forbids other pages to show the page in a frame.
    /// </summary>
    private const string Policy =
        "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; frame-src 'self'; img-src data:; base-uri 'none'; "
        + "form-action 'none'; frame-ancestors 'none'";

    private static readonly Lazy<JsonObject> Facts = new(PageFacts.Create);

    /// <summary>Serves the page at the server's root.</summary>
    public static void UsePage(this IApplicationBuilder application)
    {
        application.Map("/facts.json", branch => branch.Run(
            context => context.Response.WriteAsJsonAsync(Facts.Value, context.RequestAborted)));
        var files = new EmbeddedFileProvider(typeof(DashboardPage).Assembly, "dashboard");
        application.UseDefaultFiles(new DefaultFilesOptions { FileProvider = files });
        application.UseStaticFiles(new StaticFileOptions { FileProvider = files, OnPrepareResponse = SetHeaders });
    }

    private static void SetHeaders(StaticFileResponseContext file)
    {
        var headers = file.Context.Response.Headers;
        headers.ContentSecurityPolicy = Policy;
        headers["Referrer-Policy"] = "no-referrer";
        headers.CacheControl = "no-cache";
    }
}

/// <summary>
/// Figures that the program defines and the page shows. <c>facts.js</c> reads them, so that the page does not repeat them.
/// </summary>
internal static class PageFacts
{
    /// <summary>
    /// <c>fields</c>: defaults and names of a spec's fields by path, as its schema has them. <c>partitionShare</c>: share of its RU/s from
    /// which a partition counts as at its limit.
    /// </summary>
    public static JsonObject Create()
    {
        var fields = new JsonObject();
        Add(fields, RunSpecReader.Schema(), "");
        var experiment = ExperimentSpecReader.Schema()["properties"]!;
        Add(fields, experiment["limit"]!.AsObject(), "limit.");
        fields["repeats"] = Fact(experiment["repeats"]!);
        return new JsonObject { ["fields"] = fields, ["partitionShare"] = BoundByRule.PartitionShare };
    }

    private static void Add(JsonObject fields, JsonObject schema, string path)
    {
        foreach (var (name, field) in schema["properties"]?.AsObject() ?? [])
        {
            if (Fact(field!) is { Count: > 0 } fact)
                fields[path + name] = fact;
            Add(fields, field!.AsObject(), $"{path}{name}.");
        }
    }

    private static JsonObject Fact(JsonNode field)
    {
        var fact = new JsonObject();
        if (field["default"] is JsonValue value)
            fact["default"] = value.DeepClone();
        if (field["anyOf"]?[0]?["enum"] is { } names)
            fact["names"] = names.DeepClone();
        return fact;
    }
}
