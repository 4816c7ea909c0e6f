using System.Security.Cryptography;
using System.Text;

namespace ScaleOut.Workers.Telemetry;

/// <summary>A run as one operation: ids in the form of W3C Trace Context, the same wherever they are made.</summary>
public static class RunOperation
{
    private const int TraceDigits = 32;
    private const int SpanDigits = 16;

    /// <summary>The operation's id, 32 hexadecimal digits.</summary>
    public static string IdOf(string runId) => Digits(runId)[..TraceDigits];

    /// <summary>Id of the request that stands for the whole run, 16 hexadecimal digits; what its workers do hangs below it.</summary>
    public static string RequestIdOf(string runId) => Digits(runId)[TraceDigits..(TraceDigits + SpanDigits)];

    private static string Digits(string runId) => Convert.ToHexStringLower(SHA256.HashData(Encoding.UTF8.GetBytes(runId)));
}
