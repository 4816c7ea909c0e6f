using System.Text.Json;

namespace ScaleOut.Bench.Processes;

/// <summary>What a <see cref="ServerProcess{TGreeting}"/> does on its own side.</summary>
public static class ServerSide
{
    /// <summary>Says how it is reached, then waits until the parent closes its input.</summary>
    public static async Task GreetAndWaitAsync<TGreeting>(TGreeting greeting)
    {
        Console.WriteLine(JsonSerializer.Serialize(greeting));
        while (await Console.In.ReadLineAsync() is not null)
        {
            // Nothing is expected; the end of the input is what counts.
        }
    }
}
