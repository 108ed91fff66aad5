def work():
    return "helpers"
