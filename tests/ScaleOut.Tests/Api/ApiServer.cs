using Microsoft.Extensions.DependencyInjection;

namespace ScaleOut.Tests.Api;

/// <summary>The dev box's server with hosts that execute nothing.</summary>
internal sealed class ApiServer : IAsyncDisposable
{
    private readonly LocalServer _server;

    private ApiServer(LocalServer server, CollectingLogger log)
    {
        _server = server;
        Log = log;
        Client = new HttpClient { BaseAddress = server.Address };
    }

    public HttpClient Client { get; }

    public CollectingLogger Log { get; }

    /// <summary>Starts it on a free port.</summary>
    /// <param name="store">Where runs and experiments are.</param>
    /// <param name="catalog">The list of runs; one in memory when left out.</param>
    /// <param name="runs">The host of runs; a scripted one when left out.</param>
    /// <param name="experiments">The host of experiments; a scripted one when left out.</param>
    /// <param name="rules">What the server applies to all runs.</param>
    public static async Task<ApiServer> StartAsync(
        IRunStore store, IRunCatalog? catalog = null, IRunHost? runs = null, IExperimentHost? experiments = null, HostRules? rules = null)
    {
        var log = new CollectingLogger();
        var server = await LocalServer.StartAsync(
            port: 0,
            services => services
                .AddLogging(logging => logging.AddProvider(log))
                .AddSingleton(store)
                .AddSingleton(catalog ?? new MemoryRunCatalog())
                .AddSingleton(runs ?? new ScriptedHost(store))
                .AddSingleton(experiments ?? new ScriptedExperimentHost(store))
                .AddSingleton(rules ?? new HostRules()),
            TestContext.Current.CancellationToken);
        return new ApiServer(server, log);
    }

    public async ValueTask DisposeAsync()
    {
        Client.Dispose();
        await _server.DisposeAsync();
        Log.Dispose();
    }

    /// <summary>Keeps the exceptions that the server logs as errors.</summary>
    internal sealed class CollectingLogger : ILoggerProvider, ILogger
    {
        private readonly Lock _gate = new();
        private readonly List<Exception> _errors = [];

        public IReadOnlyList<Exception> Errors
        {
            get
            {
                lock (_gate)
                    return [.. _errors];
            }
        }

        public ILogger CreateLogger(string categoryName) => this;

        public IDisposable? BeginScope<TState>(TState state)
            where TState : notnull => null;

        public bool IsEnabled(LogLevel logLevel) => logLevel >= LogLevel.Error;

        public void Log<TState>(
            LogLevel logLevel, EventId eventId, TState state, Exception? exception, Func<TState, Exception?, string> formatter)
        {
            if (!IsEnabled(logLevel) || exception is null)
                return;
            lock (_gate)
                _errors.Add(exception);
        }

        public void Dispose()
        {
        }
    }
}
