using System.Net.Sockets;
using Azure;
using Azure.Identity;

namespace ScaleOut.Workers.Storage;

/// <summary>Says what went wrong with a storage account, on one line and without secrets.</summary>
public static class StorageErrors
{
    private const int Longest = 300;

    /// <summary>Whether an exception speaks of the storage account or the network before it, and not of this program.</summary>
    public static bool IsStorageError(Exception exception) => exception switch
    {
        AggregateException e => e.InnerExceptions.All(IsStorageError),
        RequestFailedException or AuthenticationFailedException or HttpRequestException or IOException or SocketException or TimeoutException or OperationCanceledException => true,
        _ => false,
    };

    /// <summary>Such as <c>403 AuthenticationFailed</c> or <c>Connection refused (127.0.0.1:10001)</c>.</summary>
    public static string Describe(Exception exception) => exception switch
    {
        AggregateException { InnerExceptions: [.., var last] } => Describe(last),
        RequestFailedException { Status: > 0 } e => $"{e.Status} {e.ErrorCode}".TrimEnd(),
        OperationCanceledException => "no answer in time",
        _ => FirstLine(exception.Message),
    };

    private static string FirstLine(string text)
    {
        var line = text.AsSpan().Trim();
        var end = line.IndexOfAny('\r', '\n');
        line = end < 0 ? line : line[..end];
        return line.Length <= Longest ? line.ToString() : $"{line[..Longest]}...";
    }
}
