namespace ScaleOut.Workers.Legs;

/// <summary>One attempt at a leg: what it works with, and what its steps have done so far.</summary>
internal sealed class LegAttempt
{
    public required LegInput Leg { get; init; }

    public required LegNumbers Numbers { get; init; }

    /// <summary>Number of the attempt at the leg, from 1.</summary>
    public required int Number { get; init; }

    public required RunFiles Files { get; init; }

    public required LegReporter Reporter { get; init; }

    public required CachedRun Run { get; init; }

    public required DateTimeOffset ReceivedAt { get; init; }

    public WorkerAssignment Assignment => Leg.Assignment;

    /// <summary>Null until its connections are open.</summary>
    public IWorkerClient? Client { get; set; }

    /// <summary>Null until the client is open.</summary>
    public PartitionRanges? Partitions { get; set; }

    /// <summary>Null until the client is open.</summary>
    public IDocumentSource? Documents { get; set; }

    /// <summary>What this worker has written of the preload; null for nothing.</summary>
    public PreloadShare? Preloaded { get; set; }

    /// <summary>The wait for the common start; null for a later leg than the first.</summary>
    public StartWait? Wait { get; set; }

    /// <summary>The result of a leg that ended before its first document. What the leg before left as unknown stays unknown.</summary>
    public LegResult EndedBefore(LegEnd end, string? reason)
    {
        var now = Run.Clock.UtcNow;
        var opening = Client?.TakeOpeningCost() ?? OpeningCost.None;
        return WithOrigin(
            new LegResult
            {
                Output = new LegOutput
                {
                    Worker = Assignment.Worker,
                    Leg = Leg.Leg,
                    End = end,
                    Next = Leg.Next,
                    Reason = LegOutput.Shorten(reason),
                },
                Range = Numbers.Range,
                Attempt = Number,
                StartedAt = now,
                EndedAt = now,
                DoneAhead = Numbers.Range.DoneBefore,
                Uncertain = Numbers.Before?.Uncertain ?? [],
                OpeningRequestUnits = opening.Charged,
                OpeningThrottled = opening.ThrottledReads,
                AttemptLatency = new(),
                OperationLatency = new(),
                Machine = new MachineProbe().Report([]),
            },
            skew: null);
    }

    /// <summary>The result of a leg that was executed, with what the steps before found.</summary>
    public LegResult Completed(LegResult result) => WithOrigin(result, Wait?.Skew) with
    {
        // A repeated leg did not start with the others.
        StartLatenessMs = Wait?.Start is { } start && !Numbers.IsRepetition
            ? Math.Max(0, (result.StartedAt - start.At).TotalMilliseconds)
            : null,
        Warnings = Assignment.Client.Cores is { } cores && cores != Environment.ProcessorCount
            ? [.. result.Warnings, $"client.cores asks for {cores} cores, but the worker has {Environment.ProcessorCount}: "
                + "it cannot be bound to cores here."]
            : result.Warnings,
    };

    private LegResult WithOrigin(LegResult result, ClockSkew? skew) => result with
    {
        Clocks = new LegClocks
        {
            DispatchedAt = Leg.DispatchedAt,
            ReceivedAt = ReceivedAt,
            StepMs = Math.Round(Run.Clock.Step.TotalMilliseconds, 1),
            Skew = skew,
        },
        PreloadRequestUnits = Preloaded?.RequestUnits ?? RequestUnits.Zero,
        PreloadThrottled = Preloaded?.ThrottledWrites ?? 0,
    };
}
