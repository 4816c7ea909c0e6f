using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Http;
using Microsoft.AspNetCore.StaticFiles;
using Microsoft.Extensions.FileProviders;

namespace ScaleOut.DevBox.Dashboard;

/// <summary>The page's files, which are part of the program. They use nothing but the HTTP interface, and come from nowhere else.</summary>
internal static class DashboardPage
{
    /// <summary>Scripts, styles, connections and frames of this server alone, and no place in another page's frame.</summary>
    private const string Policy =
        "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; frame-src 'self'; img-src data:; base-uri 'none'; "
        + "form-action 'none'; frame-ancestors 'none'";

    private static readonly Lazy<JsonObject> Facts = new(PageFacts.Create);

    /// <summary>Serves the page at the server's root.</summary>
    public static void UsePage(this IApplicationBuilder application)
    {
        application.Map("/facts.json", branch => branch.Run(context => context.Response.WriteAsJsonAsync(Facts.Value)));
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
