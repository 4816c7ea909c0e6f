namespace ScaleOut.Storage;

/// <summary>
/// The queue in which runs wait for instances. Without it, two runs with many workers could each hold some instances and wait for the rest
/// until the start times out. Every run takes a numbered ticket. A run is admitted if its workers and those of all runs ahead of it are
/// within the capacity, or if no run is ahead of it. No run overtakes another.
/// </summary>
/// <param name="capacity">Number of workers that can run at once.</param>
public sealed class RunAdmission(IRunStore store, int capacity, TimeProvider time)
{
    /// <summary>Id of the queue in the run store. No run has it, because ids of runs begin with a letter or digit.</summary>
    private const string QueueId = "_queue";

    private const string Prefix = "tickets/";

    /// <summary>
    /// Maximum backoff before another ticket is drawn, when other runs draw tickets at once. The actual wait is a random part of the
    /// backoff.
    /// </summary>
    private static readonly TimeSpan MaxPause = TimeSpan.FromSeconds(2);

    private static readonly TimeSpan FirstPause = TimeSpan.FromSeconds(0.05);

    /// <summary>Asks whether a run may begin. A run that asks again keeps its place.</summary>
    /// <param name="isAliveAsync">Returns whether a run has not ended. Tickets of ended runs are deleted.</param>
    public async Task<Admission> AdmitAsync(
        RunSpec spec, Func<string, CancellationToken, Task<bool>> isAliveAsync, CancellationToken cancellationToken)
    {
        var runId = spec.Id ?? throw new ArgumentException("The spec has no id.", nameof(spec));
        if (await new RunFiles(store, runId).IsStopRequestedAsync(cancellationToken))
        {
            await ReleaseAsync(runId, cancellationToken);
            return new Admission(AdmissionState.Stopped);
        }

        var (own, tickets) = await TakeAsync(new Ticket(runId, spec.Workers), cancellationToken);
        var ahead = new List<Ticket>();
        foreach (var (name, ticket) in tickets.Where(other => string.CompareOrdinal(other.Key, own) < 0))
        {
            if (await isAliveAsync(ticket.RunId, cancellationToken))
                ahead.Add(ticket);
            else
                await store.DeleteAsync(QueueId, item => item == name, cancellationToken);
        }

        var admitted = ahead.Count == 0 || ahead.Sum(ticket => ticket.Workers) + spec.Workers <= capacity;
        return admitted ? new Admission(AdmissionState.Admitted) : new Admission(AdmissionState.Waiting, ahead.Count);
    }

    /// <summary>Deletes a run's ticket, if it has one.</summary>
    public async Task ReleaseAsync(string runId, CancellationToken cancellationToken)
    {
        foreach (var (name, _) in (await ReadAsync(cancellationToken)).Where(ticket => ticket.Value.RunId == runId))
            await store.DeleteAsync(QueueId, item => item == name, cancellationToken);
    }

    /// <summary>Returns the name of a run's ticket and all tickets. Takes a ticket if the run has none.</summary>
    private async Task<(string Own, SortedDictionary<string, Ticket> All)> TakeAsync(Ticket ticket, CancellationToken cancellationToken)
    {
        // Numbers of deleted tickets are used again, so a run with a higher number may have read the list before this ticket existed.
        // 1. A run draws the number after the last one. Of several runs that draw it, one gets it.
        // 2. It reads the list again. If its ticket is the last one, any run that draws a higher number later finds it, so it holds.
        // 3. Otherwise it returns the ticket, and draws another after a random pause, so that two runs do not collide forever.
        for (var pause = FirstPause; ; pause = pause * 2 < MaxPause ? pause * 2 : MaxPause)
        {
            var tickets = await ReadAsync(cancellationToken);
            if (tickets.FirstOrDefault(known => known.Value.RunId == ticket.RunId) is { Key: { } own, Value: var drawn })
            {
                if (drawn.Holds)
                    return (own, tickets);
                if (own == tickets.Keys.Last())
                {
                    // 2.
                    await store.WriteAsync(QueueId, own, Serialize(ticket with { Holds = true }), cancellationToken);
                    return (own, tickets);
                }

                // 3.
                await store.DeleteAsync(QueueId, item => item == own, cancellationToken);
            }
            else
            {
                // 1.
                var last = tickets.Count == 0 ? 0 : NumberIn(tickets.Keys.Last());
                var name = $"{Prefix}{(last + 1).ToString("D12", CultureInfo.InvariantCulture)}.json";
                if (await store.TryCreateAsync(QueueId, name, Serialize(ticket), cancellationToken))
                    continue;
            }

            await Task.Delay(pause * Random.Shared.NextDouble(), time, cancellationToken);
        }
    }

    private async Task<SortedDictionary<string, Ticket>> ReadAsync(CancellationToken cancellationToken)
    {
        var tickets = new SortedDictionary<string, Ticket>(StringComparer.Ordinal);
        foreach (var name in await store.ListAsync(QueueId, Prefix, cancellationToken))
        {
            // The ticket may have been deleted since the list was read.
            if (await store.ReadAsync(QueueId, name, cancellationToken) is { } json
                && JsonSerializer.Deserialize<Ticket>(json, ScaleOutJson.Compact) is { } ticket)
                tickets.Add(name, ticket);
        }

        return tickets;
    }

    private static long NumberIn(string name) =>
        long.Parse(name.AsSpan(Prefix.Length, 12), NumberStyles.None, CultureInfo.InvariantCulture);

    private static byte[] Serialize(Ticket ticket) => JsonSerializer.SerializeToUtf8Bytes(ticket, ScaleOutJson.Compact);

    /// <param name="Holds">Whether the ticket counts, because its run has seen that it was the last one.</param>
    private sealed record Ticket(string RunId, int Workers, bool Holds = false);
}
