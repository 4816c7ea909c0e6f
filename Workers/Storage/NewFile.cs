using System.Runtime.InteropServices;

namespace ScaleOut.Workers.Storage;

/// <summary>Gives a finished file its name, if no other has it: of several callers at once one wins, and nobody sees a part of it.</summary>
internal static partial class NewFile
{
    private const int FileExists = 17;

    /// <summary>Publishes a file under a second name in the same folder; the first name is then superfluous.</summary>
    /// <returns>False when another file has that name.</returns>
    /// <exception cref="IOException">The file system refused for another reason.</exception>
    public static bool TryPublish(string temporary, string path)
    {
        // On Unix File.Move looks whether there is a file and then renames over whatever came in between. A link is made or refused in one step.
        if (!OperatingSystem.IsWindows())
        {
            if (Link(temporary, path) == 0)
                return true;
            if (Marshal.GetLastPInvokeError() == FileExists)
                return false;
            // The file system has no hard links.
        }

        try
        {
            File.Move(temporary, path, overwrite: false);
            return true;
        }
        catch (IOException) when (File.Exists(path))
        {
            return false;
        }
    }

    [LibraryImport("libc", EntryPoint = "link", SetLastError = true, StringMarshalling = StringMarshalling.Utf8)]
    private static partial int Link(string existing, string created);
}
