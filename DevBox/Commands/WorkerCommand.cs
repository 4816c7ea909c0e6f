namespace ScaleOut.DevBox.Commands;

/// <summary><c>worker</c>: one worker of a run, started by the run itself. Its options only show in the list of processes.</summary>
internal static class WorkerCommand
{
    public static Command Create()
    {
        var command = new Command("worker", "One worker of a run; for the program's own use.") { Hidden = true };
        command.Options.Add(new Option<string>("--run"));
        command.Options.Add(new Option<string>("--index"));
        command.SetAction(async (_, _) =>
        {
            using var ignored = StopSignals.Ignore();
            using var input = new StreamReader(Console.OpenStandardInput(), Encoding.UTF8);
            await using var output = Console.OpenStandardOutput();
            // Other output must not get between the messages on the standard output.
            Console.SetOut(Console.Error);
            return await WorkerHost.RunAsync(input, output);
        });
        return command;
    }
}
