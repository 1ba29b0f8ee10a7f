"""Jobs: runs longer than a request. What is asked for waits as a row, a worker does it, everybody in the office can
watch.
"""
