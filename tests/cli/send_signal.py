#!/usr/bin/env python3
"""Run a command and send it a signal after a while: send_signal.py NAME COMMAND...; returns its status.

A background job of a shell script ignores SIGINT, so the shell cannot do it."""
import signal
import subprocess
import sys
import time

signal.signal(signal.SIGINT, signal.SIG_DFL)
run = subprocess.Popen(sys.argv[2:])
time.sleep(0.7)
run.send_signal(getattr(signal, "SIG" + sys.argv[1]))
sys.exit(run.wait() & 255)
