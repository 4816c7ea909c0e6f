using System.Text;
using ScaleOut.Api.Hosts;
using ScaleOut.DevBox.Accounts;
using ScaleOut.DevBox.Runs;
using ScaleOut.Specs;
using ScaleOut.Specs.Reading;
using ScaleOut.Storage;
using ScaleOut.Workers.Accounts;
using ScaleOut.Workers.Storage;

namespace ScaleOut.DevBox.Serving;

/// <summary>Runs on this machine for the HTTP interface.</summary>
internal sealed class LocalRunHost(
    WorkQueue queue, string runsFolder, AccountConnection? account, TextWriter log, TableAccount? tables = null) : IRunHost
{
    /// <inheritdoc/>
    public string? WhyFull => queue.WhyFull;

    /// <inheritdoc/>
    public async Task StartAsync(RunSpec spec, CancellationToken cancellationToken)
    {
        var folder = new RunFolder(runsFolder, spec.Id!);
        // A run whose server ends while it waits is resumed on the account that it was meant for.
        var given = spec.Workload.Kind.UsesTables() && tables is not null ? tables.ToConnection() : account;
        if (given is not null)
            await RunAccounts.NoteAsync(folder, given, cancellationToken);
        queue.Add(new HostedSession(spec, folder, given, log));
    }

    /// <inheritdoc/>
    public async Task<StopResult> StopAsync(string id, CancellationToken cancellationToken)
    {
        var response = await queue.StopAsync(id);
        if (response != StopResult.Unknown || await ElsewhereAsync(id, cancellationToken) is null)
            return response;
        // Of an experiment, or of another program: its workers see the flag within a second.
        await Files(id).RequestStopAsync(cancellationToken);
        return StopResult.Stopping;
    }

    /// <inheritdoc/>
    public async Task<HostedRun?> ReadStatusAsync(string id, CancellationToken cancellationToken) =>
        queue.Find(id) is (HostedSession session, var ahead) ? session.Status() with { RunsAhead = ahead }
        : queue.Running is HostedExperimentSession experiment && experiment.StatusOfRun(id) is { } live ? live
        : await ElsewhereAsync(id, cancellationToken);

    /// <summary>A run that another process on this machine runs, such as one started on the command line.</summary>
    private async Task<HostedRun?> ElsewhereAsync(string id, CancellationToken cancellationToken)
    {
        var files = Files(id);
        if (!RunLock.IsTaken(new RunFolder(runsFolder, id).LockFile)
            || await files.ReadEndedAsync(cancellationToken) is not null
            || await files.ReadSpecAsync(cancellationToken) is not { } json)
            return null;
        return new HostedRun
        {
            State = await files.IsStopRequestedAsync(cancellationToken) ? HostedState.Stopping : HostedState.Running,
            Asked = RunSpecReader.Read(Encoding.UTF8.GetString(json)).Value?.Documents ?? 0,
            Reasons = ["It is run elsewhere on this machine, which shows how far it is."],
        };
    }

    private RunFiles Files(string id) => new(new FolderRunStore(runsFolder), id);
}
