using ScaleOut.DevBox;
using ScaleOut.DevBox.Commands;

// The first of all: with too few files not even an error can be written as usual.
if (OpenFileLimit.RejectsStart())
    return ExitCode.BadInput;
return await CommandLine.InvokeAsync(args);
