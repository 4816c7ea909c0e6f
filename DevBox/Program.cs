using ScaleOut.DevBox;
using ScaleOut.DevBox.Commands;

// This comes first, because with too few open files not even an error can be written as usual.
if (OpenFileLimit.RejectsStart())
    return ExitCode.BadInput;
RawStandardError.IgnoreClosed();
return await CommandLine.InvokeAsync(args);
