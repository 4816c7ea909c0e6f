namespace ScaleOut.Workers.Storage;

/// <summary>Looks at files before they are opened: reading a pipe or a device may never end.</summary>
public static class RegularFile
{
    /// <summary>
    /// Bytes of a file, or of the file that a link leads to; 0 for a pipe or a device, which the system gives no length.
    /// </summary>
    /// <exception cref="FileNotFoundException">There is no such file.</exception>
    /// <exception cref="IOException">A link leads nowhere.</exception>
    public static long LengthOf(string path)
    {
        var file = new FileInfo(path);
        if (file.LinkTarget is not null)
            file = new FileInfo(file.ResolveLinkTarget(returnFinalTarget: true)!.FullName);
        return file.Exists ? file.Length : throw new FileNotFoundException(message: null, path);
    }
}
