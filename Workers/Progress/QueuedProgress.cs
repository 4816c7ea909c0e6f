using System.Text;
using ScaleOut.Progress;

namespace ScaleOut.Workers.Progress;

/// <summary>What the senders and readers of the progress queue agree on.</summary>
public static class QueuedProgress
{
    public const string Name = "run-progress";

    /// <summary>Takes the messages that nobody can read; the Functions runtime gives the same name to the queue it moves them to.</summary>
    public const string PoisonName = "run-progress-poison";

    /// <summary>Messages that nobody takes for this long are gone: their news is old.</summary>
    public static readonly TimeSpan TimeToLive = TimeSpan.FromHours(1);

    /// <summary>A message's body: UTF-8 JSON in Base64, as a Functions queue trigger expects by default (<c>extensions.queues.messageEncoding</c>).</summary>
    public static string Encode(WorkerProgress progress) => Convert.ToBase64String(Encoding.UTF8.GetBytes(ProgressMessage.Write(progress)));

    /// <summary>The progress in a message's body; null when it holds none.</summary>
    public static WorkerProgress? Decode(string body)
    {
        ArgumentNullException.ThrowIfNull(body);
        var bytes = new byte[body.Length];
        return Convert.TryFromBase64String(body, bytes, out var length) ? ProgressMessage.Read(Encoding.UTF8.GetString(bytes.AsSpan(0, length))) : null;
    }
}
