namespace ScaleOut.Tests.Programs;

/// <summary>
/// Runs command lines of the program one after the other in one process, each in its own folder and with its own environment variables. So
/// the output of a command can be tested without a process for each.
/// </summary>
internal static class CommandHost
{
    public static async Task<int> Main()
    {
        var responses = Console.Out;
        while (await Console.In.ReadLineAsync() is { } line)
            await responses.WriteLineAsync(ProcessLines.Write(await RunAsync(ProcessLines.Read<CommandRequest>(line)!)));
        return 0;
    }

    private static async Task<CommandResponse> RunAsync(CommandRequest request)
    {
        using var output = new StringWriter();
        using var errors = new StringWriter();
        Console.SetOut(output);
        Console.SetError(errors);
        Environment.CurrentDirectory = request.Folder;
        foreach (var (name, value) in request.Environment)
            Environment.SetEnvironmentVariable(name, value);
        var exitCode = await CommandLine.InvokeAsync(request.Arguments);
        foreach (var name in request.Environment.Keys)
            Environment.SetEnvironmentVariable(name, null);
        return new CommandResponse(exitCode, output.ToString(), errors.ToString());
    }
}

/// <param name="Environment">Variables in addition to those of the tests.</param>
internal sealed record CommandRequest(string Folder, string[] Arguments, IReadOnlyDictionary<string, string> Environment);

internal sealed record CommandResponse(int ExitCode, string Output, string Errors);
