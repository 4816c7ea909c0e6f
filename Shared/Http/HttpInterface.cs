using ScaleOut.Storage;

namespace ScaleOut.Http;

/// <summary>
/// The HTTP interface: starting, watching, listing, stopping and reporting runs. The same for every host; the server that receives the requests
/// decides who may call. Never throws but when the caller gives up.
/// </summary>
/// <param name="host">Runs the runs.</param>
/// <param name="store">What the runs leave behind.</param>
/// <param name="catalog">The list of runs.</param>
/// <param name="time">Clock; the system's when left out.</param>
/// <param name="onError">Is told of what nobody foresaw; answers say nothing of it.</param>
/// <param name="experiments">Runs the experiments, under the rules of <paramref name="host"/>; null where there are none.</param>
public sealed class HttpInterface(
    IRunHost host, IRunStore store, IRunCatalog catalog, TimeProvider? time = null, Action<Exception>? onError = null, IExperimentHost? experiments = null)
{
    private readonly RunResource _runs = new(host, store, catalog, time ?? TimeProvider.System, onError);
    private readonly ExperimentResource? _experiments = experiments is null ? null : new(experiments, host.Rules, store, time ?? TimeProvider.System, onError);

    /// <summary>Answers a request.</summary>
    public async Task<HttpAnswer> HandleAsync(HttpCall call, CancellationToken cancellationToken)
    {
        ArgumentNullException.ThrowIfNull(call);
        return Harden(await AnswerAsync(call, cancellationToken));
    }

    /// <summary>The answer of a server that does not let a caller in: 403.</summary>
    /// <param name="call">The request.</param>
    /// <param name="detail">Why, in a sentence.</param>
    public static HttpAnswer Refuse(HttpCall call, string detail) => Harden(Problems.Refused(call, detail));

    private async Task<HttpAnswer> AnswerAsync(HttpCall call, CancellationToken cancellationToken)
    {
        try
        {
            if (RouteOf(call.Path) is not { } route)
                return Problems.NoSuchPath(call);
            var method = call.Method.ToUpperInvariant();
            if (method == route.Method || (method == "HEAD" && route.Method == "GET") || (method == "POST" && route.Post is not null))
            {
                var answer = await (method == "POST" ? route.Post ?? route.Answer : route.Answer)(call, cancellationToken);
                return method == "HEAD" ? answer with { Body = default } : answer;
            }

            return Problems.MethodNotAllowed(call, route.Allowed);
        }
        catch (OperationCanceledException) when (cancellationToken.IsCancellationRequested)
        {
            throw;
        }
        catch (Exception e)
        {
            onError?.Invoke(e);
            return Problems.Unexpected(call);
        }
    }

    private Route? RouteOf(string path) => path.Trim('/').Split('/') switch
    {
        ["api", "runs"] => new Route("GET", _runs.ListAsync, _runs.StartAsync),
        ["api", "runs", var id] => new Route("GET", (call, token) => _runs.ReadAsync(call, id, token)),
        ["api", "runs", var id, "report"] => new Route("GET", (call, token) => _runs.ReportAsync(call, id, token)),
        ["api", "runs", var id, "stop"] => new Route("POST", (call, token) => _runs.StopAsync(call, id, token)),
        ["api", "experiments", .. var rest] when _experiments is not null => RouteOf(_experiments, rest),
        _ => null,
    };

    private static Route? RouteOf(ExperimentResource experiments, string[] path) => path switch
    {
        [] => new Route("POST", experiments.StartAsync),
        [var id] => new Route("GET", (call, token) => experiments.ReadAsync(call, id, token)),
        [var id, "report"] => new Route("GET", (call, token) => experiments.ReportAsync(call, id, token)),
        [var id, "stop"] => new Route("POST", (call, token) => experiments.StopAsync(call, id, token)),
        [var id, "resume"] => new Route("POST", (call, token) => experiments.ResumeAsync(call, id, token)),
        _ => null,
    };

    /// <summary>What clients could do wrong with an answer: guess another type, keep it, or show it inside another page.</summary>
    private static HttpAnswer Harden(HttpAnswer answer)
    {
        answer = answer.With("X-Content-Type-Options", "nosniff").With("Cache-Control", "no-store");
        return answer.Headers.ContainsKey("Content-Security-Policy") ? answer : answer.With("Content-Security-Policy", "default-src 'none'; frame-ancestors 'none'");
    }

    /// <summary>What a path offers.</summary>
    private sealed record Route(string Method, Func<HttpCall, CancellationToken, Task<HttpAnswer>> Answer, Func<HttpCall, CancellationToken, Task<HttpAnswer>>? Post = null)
    {
        public string Allowed => Method == "GET" ? Post is null ? "GET, HEAD" : "GET, HEAD, POST" : Method;
    }
}
