using ScaleOut.Workers.Legs;

namespace ScaleOut.DevBox.Processes;

/// <summary>Runs inside a worker process. Legs come over its standard input; progress and results go over its standard output.</summary>
internal static class WorkerHost
{
    /// <summary>Runs legs until the parent closes the input or is gone. Then the process ends at once.</summary>
    public static async Task<int> RunAsync(TextReader input, Stream output)
    {
        using var sink = new WorkerOutput(output);
        if (await input.ReadLineAsync() is not { } first)
            return ExitCode.Complete;
        if (ProcessLines.Read<WorkerHandshake>(first) is not { } handshake)
            throw new InputException(
                "worker: this command is for the program's own use; the first line of its input is not the handshake of a parent process.");

        var legs = Channel.CreateUnbounded<LegInput>();
        ReadOnDedicatedThread(input, legs.Writer);
        using var export = OtlpExport.To(handshake.Otlp, $"worker-{Environment.ProcessId}");
        await using var runner = new LegRunner(
            new FolderRunStore(handshake.RunsFolder),
            handshake.Account,
            sink,
            telemetry: [new MetricsTelemetry()])
        {
            WorkersShareMachine = true,
        };
        await foreach (var leg in legs.Reader.ReadAllAsync())
        {
            using var lives = new Timer(
                _ => _ = sink.WriteAsync(new WorkerMessage()).AsTask(), null, WorkerMessage.Interval, WorkerMessage.Interval);
            var result = await RunAsync(runner, leg);
            // The process may be ended as soon as the leg is reported.
            export?.Flush();
            await sink.WriteAsync(result);
        }

        return ExitCode.Complete;
    }

    private static async Task<WorkerMessage> RunAsync(LegRunner runner, LegInput leg)
    {
        try
        {
            return new WorkerMessage { Leg = await runner.RunAsync(leg, CancellationToken.None) };
        }
        catch (Exception e)
        {
            await Console.Error.WriteLineAsync($"leg {leg.Leg}: {e}");
            return OrchestrationTaskException.IsDeterministic(e.GetType().FullName!)
                ? new WorkerMessage { Failure = new LegFailure(e.GetType().FullName!, OneLine.From(e.Message)) }
                : new WorkerMessage { Lost = $"{e.GetType().Name}: {OneLine.From(e.Message)}" };
        }
    }

    /// <summary>
    /// Reads on a dedicated thread, so that the exit of the parent is detected even if the thread pool is busy with the load.
    /// </summary>
    private static void ReadOnDedicatedThread(TextReader input, ChannelWriter<LegInput> legs)
    {
        var thread = new Thread(() =>
        {
            while (ReadLine(input) is { } line)
            {
                if (ProcessLines.Read<LegInput>(line) is { } leg)
                    legs.TryWrite(leg);
            }

            Environment.Exit(ExitCode.Complete);
        })
        {
            IsBackground = true,
            Name = "parent",
        };
        thread.Start();
    }

    private static string? ReadLine(TextReader input)
    {
        try
        {
            return input.ReadLine();
        }
        catch (IOException)
        {
            // The parent has exited. This is treated as the end of the input.
            return null;
        }
    }
}
