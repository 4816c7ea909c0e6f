using Azure.Core;
using Microsoft.ApplicationInsights;
using Microsoft.ApplicationInsights.Channel;
using Microsoft.ApplicationInsights.DataContracts;
using Microsoft.ApplicationInsights.Extensibility;
using ScaleOut.Analysis.Reports;
using ScaleOut.Analysis.Statistics;
using ScaleOut.Orchestration;
using ScaleOut.Progress;

namespace ScaleOut.Workers.Telemetry;

/// <summary>
/// Sends the records of <see cref="ApplicationInsightsNames"/> to Application Insights, in batches every <see cref="SendingInterval"/>.
/// They go out as they are counted: nothing samples them again. What cannot be sent is lost, and no leg is the worse for it.
/// </summary>
public sealed class ApplicationInsightsTelemetry : ILegTelemetry, IRunTelemetry, IAsyncDisposable
{
    /// <summary>How often records are sent.</summary>
    public static readonly TimeSpan SendingInterval = TimeSpan.FromSeconds(10);

    private static readonly TimeSpan FlushTimeout = TimeSpan.FromSeconds(5);

    private readonly TelemetryConfiguration _configuration;
    private readonly TelemetryClient _client;
    private readonly Uri _account;
    private int _disposed;

    /// <param name="connectionString">Of the Application Insights resource.</param>
    /// <param name="account">The account's endpoint; its host is the target of dependencies.</param>
    /// <param name="credential">For a resource that takes no records without an identity; null otherwise.</param>
    /// <exception cref="FormatException">The connection string is none; the message does not repeat it.</exception>
    public ApplicationInsightsTelemetry(string connectionString, Uri account, TokenCredential? credential = null)
    {
        ArgumentNullException.ThrowIfNull(connectionString);
        ArgumentNullException.ThrowIfNull(account);
        _account = account;
        _configuration = new TelemetryConfiguration { TelemetryChannel = new InMemoryChannel { SendingInterval = SendingInterval } };
        try
        {
            _configuration.ConnectionString = connectionString;
            if (credential is not null)
                _configuration.SetAzureTokenCredential(credential);
        }
        catch (Exception e) when (e is ArgumentException or FormatException)
        {
            _configuration.Dispose();
            throw new FormatException("This is not a connection string of Application Insights.");
        }

        _client = new TelemetryClient(_configuration);
        _client.Context.Cloud.RoleName = ApplicationInsightsNames.Role;
    }

    /// <summary>Time that a record of an interval covers; null for that of <see cref="ProgressInterval"/>.</summary>
    internal TimeSpan? Interval { get; init; }

    /// <inheritdoc/>
    public ILegRecording Begin(LegScope scope)
    {
        ArgumentNullException.ThrowIfNull(scope);
        return new ApplicationInsightsRecording(
            _client, _account.Host, scope, Interval ?? ProgressInterval.For(scope.Leg.Assignment.Workers));
    }

    /// <inheritdoc/>
    public void Ended(RunReport report)
    {
        ArgumentNullException.ThrowIfNull(report);
        var request = new RequestTelemetry
        {
            Id = RunOperation.RequestIdOf(report.Id),
            Name = "run",
            Timestamp = report.StartedAt,
            Duration = report.FinishedAt - report.StartedAt,
            ResponseCode = StateOf(report),
            Success = report.State is RunState.Complete or RunState.Stopped,
        };
        request.Context.Operation.Id = RunOperation.IdOf(report.Id);
        request.Context.Operation.Name = "run";
        request.Properties["runId"] = report.Id;
        _client.TrackRequest(request);

        // Stamped when it is sent: counting a container can take longer than the window of an alert.
        var ended = new EventTelemetry(ApplicationInsightsNames.RunEnded) { Timestamp = DateTimeOffset.UtcNow };
        ended.Context.Operation.Id = RunOperation.IdOf(report.Id);
        ended.Context.Operation.ParentId = RunOperation.RequestIdOf(report.Id);
        ended.Properties["runId"] = report.Id;
        ended.Properties["state"] = StateOf(report);
        ended.Metrics["documents"] = report.Documents.Asked;
        ended.Metrics["inserted"] = report.Documents.Inserted;
        ended.Metrics["throttled"] = report.Requests.Throttled;
        ended.Metrics["requestUnits"] = report.RequestUnits.Total;
        ended.Metrics["distinctInstances"] = report.DistinctInstances;
        if (report.Throughput.MakespanPerSecond is { } makespan)
            ended.Metrics["makespanPerSecond"] = makespan;
        _client.TrackEvent(ended);
        _ = FlushAsync();
    }

    /// <summary>Sends what waits; gives up after 5 s.</summary>
    public async ValueTask DisposeAsync()
    {
        // A container disposes of it once for each service that it is.
        if (Interlocked.Exchange(ref _disposed, 1) != 0)
            return;
        await FlushAsync();
        _configuration.TelemetryChannel.Dispose();
        _configuration.Dispose();
    }

    private static string StateOf(RunReport report)
    {
        var name = report.State.ToString();
        return $"{char.ToLowerInvariant(name[0])}{name[1..]}";
    }

    private async Task FlushAsync()
    {
        using var timeout = new CancellationTokenSource(FlushTimeout);
        await ((Task)_client.FlushAsync(timeout.Token)).ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
    }
}
